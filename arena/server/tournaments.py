"""TournamentService: setting tournaments up, who takes part, looking at them."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import IO, Any, Final

import grpc

from arena.app.exports import export
from arena.app.tournaments import setting_up
from arena.server import pages
from arena.server.arena import Arena
from arena.server.caller import caller
from arena.server.refusals import Refused
from arena.server.retries import request
from arena.server.visible import visible
from arena.server.watching import Watching
from arena.store import (
    AlreadyDone,
    MatchKey,
    MatchStatus,
    NotFound,
    Request,
    Seeing,
    StoredMatch,
    Tournament,
)
from arena.tournament.uncut import uncut
from arena.wire import matches as matches_wire
from arena.wire import tournaments as wire
from arena.wire.matches import Known
from arenabot.v1 import arena_pb2 as pb

Context = grpc.aio.ServicerContext[Any, Any]

PIECE: Final = 64 << 10
"""Bytes in one message."""

_EXPORTS: Final = 2
"""How many exports are written at a time, each of which reads a whole tournament."""

_STATUSES: Final = {number: status for status, number in matches_wire.STATUSES.items()}


class Tournaments(Watching):
    """Answers for one arena; how tournaments are run and watched stands in `Watching`."""

    def __init__(self, arena: Arena) -> None:
        """Answer for `arena`."""
        super().__init__(arena)
        self._store = arena.store
        self._conductor = arena.conductor
        self._exports = asyncio.Semaphore(_EXPORTS)

    # Who changes something

    async def CreateTournament(
        self, message: pb.CreateTournamentRequest, _: Context
    ) -> pb.CreateTournamentResponse:
        """Set one up, with its schedule or open for entry."""
        told = await self._changed(message, "CreateTournament", self._create)
        return pb.CreateTournamentResponse(tournament=told)

    async def EnterTournament(
        self, message: pb.EnterTournamentRequest, _: Context
    ) -> pb.EnterTournamentResponse:
        """Enter a version."""
        told = await self._changed(message, "EnterTournament", self._enter)
        return pb.EnterTournamentResponse(tournament=told)

    async def LeaveTournament(
        self, message: pb.LeaveTournamentRequest, _: Context
    ) -> pb.LeaveTournamentResponse:
        """Take a bot out again."""
        told = await self._changed(message, "LeaveTournament", self._leave)
        return pb.LeaveTournamentResponse(tournament=told)

    async def OpenEntry(self, message: pb.OpenEntryRequest, _: Context) -> pb.OpenEntryResponse:
        """Let bots be entered."""
        told = await self._changed(message, "OpenEntry", self._open)
        return pb.OpenEntryResponse(tournament=told)

    async def CloseEntry(self, message: pb.CloseEntryRequest, _: Context) -> pb.CloseEntryResponse:
        """Let no more be entered, and draw the schedule if that is asked for."""
        told = await self._changed(message, "CloseEntry", self._close)
        return pb.CloseEntryResponse(tournament=told)

    async def WithdrawEntry(
        self, message: pb.WithdrawEntryRequest, _: Context
    ) -> pb.WithdrawEntryResponse:
        """Take an entry out for good."""
        told = await self._changed(message, "WithdrawEntry", self._withdraw)
        return pb.WithdrawEntryResponse(tournament=told)

    async def CancelTournament(
        self, message: pb.CancelTournamentRequest, _: Context
    ) -> pb.CancelTournamentResponse:
        """Stop it for good."""
        told = await self._changed(message, "CancelTournament", self._cancel)
        await self._conductor.cancelled(told.name)
        return pb.CancelTournamentResponse(tournament=told)

    async def _changed(
        self, message: Any, method: str, change: Callable[[Any, Request | None], str]
    ) -> pb.Tournament:
        """Make a change, unless the same request has made it before, and show what came of it."""
        asked = request(message, f"TournamentService/{method}")
        name = await asyncio.to_thread(self._once, change, message, asked)
        await self._conductor.changed(name)
        return await asyncio.to_thread(self._told_after, name)

    def _told_after(self, name: str) -> pb.Tournament:
        """What is shown of a tournament to whoever changed it; its name, if no more may be seen."""
        try:
            found = visible(self._store, name)
        except NotFound:
            # Who has left a private one may ask again, and learns nothing new by that.
            return pb.Tournament(name=name)
        return self._told(found)

    def _once(
        self, change: Callable[[Any, Request | None], str], message: Any, asked: Request | None
    ) -> str:
        # First of all: what a change needs may be no more, once it was made.
        done = self._store.entering.asked(asked)
        if done is not None:
            return done
        try:
            return change(message, asked)
        except AlreadyDone as already:
            return already.target

    def _create(self, message: pb.CreateTournamentRequest, asked: Request | None) -> str:
        if message.sandbox not in {"", "docker"}:
            raise Refused(
                pb.REASON_INVALID, "a server runs bots in docker and nowhere else: leave it out"
            )
        wanted = replace(wire.plan(message, caller().name()), any_league=caller().admin)
        versions = [self._store.find_version(name) for name in message.bots]
        setting_up.set_up(self._store, wanted, versions, asked)
        return message.name

    def _enter(self, message: pb.EnterTournamentRequest, asked: Request | None) -> str:
        found = visible(self._store, message.tournament)
        version = self._store.find_version(message.bot)
        _require_own(version.bot, version.author, found)
        self._store.entering.enter(found.id, version, request=asked)
        return found.name

    def _leave(self, message: pb.LeaveTournamentRequest, asked: Request | None) -> str:
        found = visible(self._store, message.tournament)
        _require_own(message.bot, self._store.roster.owner(message.bot), found)
        self._store.entering.leave(found.id, message.bot, request=asked)
        return found.name

    def _open(self, message: pb.OpenEntryRequest, asked: Request | None) -> str:
        found = self._own(message.tournament)
        self._store.entering.open(found.id, request=asked)
        return found.name

    def _close(self, message: pb.CloseEntryRequest, asked: Request | None) -> str:
        found = self._own(message.tournament)
        if message.draw:
            setting_up.draw(self._store, found.name, asked)
        else:
            self._store.entering.close(found.id, request=asked)
        return found.name

    def _withdraw(self, message: pb.WithdrawEntryRequest, asked: Request | None) -> str:
        found = self._own(message.tournament)
        self._store.entering.withdraw(
            found.id, message.bot, why=message.why, annul=message.annul, request=asked
        )
        return found.name

    def _cancel(self, message: pb.CancelTournamentRequest, asked: Request | None) -> str:
        found = self._own(message.tournament)
        self._store.cancel(found.id, asked)
        return found.name

    def _own(self, name: str) -> Tournament:
        """The tournament of that name, if the caller may change it. Blocks. Raises Refused."""
        found = visible(self._store, name)
        if not caller().owns(found.organiser):
            raise Refused(
                pb.REASON_NOT_FOUND,
                f"you organise no tournament {name[:40]!a}: only its organiser may do this",
            )
        return found

    # Who looks

    async def GetTournament(
        self, message: pb.GetTournamentRequest, _: Context
    ) -> pb.GetTournamentResponse:
        """One tournament."""
        told = await asyncio.to_thread(lambda: self._told(visible(self._store, message.name)))
        return pb.GetTournamentResponse(tournament=told)

    async def ListTournaments(
        self, message: pb.ListTournamentsRequest, _: Context
    ) -> pb.ListTournamentsResponse:
        """All that the caller may see, the newest first."""
        return await asyncio.to_thread(self._listed, message)

    def _listed(self, message: pb.ListTournamentsRequest) -> pb.ListTournamentsResponse:
        size = pages.size(message.page_size)
        before = pages.key(message.page_token, int)
        who = caller()
        found = self._store.pages.tournaments(
            Seeing(who.author, who.admin),
            before=None if before is None else int(before[0]),
            most=size + 1,
            game=message.game or None,
        )
        more = (found[size - 1].id,) if len(found) > size else None
        return pb.ListTournamentsResponse(
            tournaments=[self._told(replace(one, entries=())) for one in found[:size]],
            next_page_token=pages.token(more),
        )

    async def ListMatches(
        self, message: pb.ListMatchesRequest, _: Context
    ) -> pb.ListMatchesResponse:
        """A tournament's matches in schedule order."""
        return await asyncio.to_thread(self._matches, message)

    def _matches(self, message: pb.ListMatchesRequest) -> pb.ListMatchesResponse:
        found = visible(self._store, message.tournament)
        size = pages.size(message.page_size)
        after = pages.key(message.page_token, int, int)
        listed = self._store.pages.matches(
            found.id,
            after=None if after is None else MatchKey(int(after[0]), int(after[1])),
            most=size + 1,
            status=_status(message.status),
        )
        page = listed[:size]
        more = (page[-1].key.block, page[-1].key.rotation) if len(listed) > size else None
        return pb.ListMatchesResponse(
            matches=[matches_wire.match(known) for known in self._known(found, page)],
            next_page_token=pages.token(more),
        )

    def _known(self, tournament: Tournament, page: Sequence[StoredMatch]) -> list[Known]:
        """All that is known of some matches that follow each other."""
        done = [match.key.block for match in page if match.status is MatchStatus.DONE]
        if not done:
            return [Known(match) for match in page]
        secret = self._store.pages.secret_blocks(tournament.id, (done[0], done[-1]))
        listed = self._store.pages.results(tournament.id, done[0], done[-1])
        results = {result.match_id: result for result in listed}
        return [
            Known(match, results[match.id], match.key.block not in secret)
            if match.status is MatchStatus.DONE
            else Known(match)
            for match in page
        ]

    async def ExportTournament(
        self, message: pb.ExportTournamentRequest, _: Context
    ) -> AsyncIterator[pb.ExportTournamentResponse]:
        """All of it as a .zip, in pieces."""
        found = await asyncio.to_thread(visible, self._store, message.name)
        with tempfile.TemporaryFile(prefix="arena-export-") as file:
            async with self._exports:
                # A thread can't be stopped: its place is free when it has ended, and not before.
                await uncut(asyncio.to_thread(self._export, found.name, file))
            while data := await asyncio.to_thread(file.read, PIECE):
                yield pb.ExportTournamentResponse(data=data)

    def _export(self, name: str, file: IO[bytes]) -> None:
        try:
            export.export_zip(self._store, name, file)
            file.seek(0)
        except OSError as error:
            raise Refused(
                pb.REASON_UNAVAILABLE,
                f"the arena has no room for an export now ({error.strerror}): try again later",
                again_in=60,
            ) from error

    def _told(self, tournament: Tournament) -> pb.Tournament:
        """All that is shown of a tournament. Blocks."""
        at = self._store.progress(tournament.id)
        return wire.tournament(tournament, at, self._conductor.playing(tournament.id))


def _require_own(bot: str, author: str | None, tournament: Tournament) -> None:
    """Raises NotFound unless the bot is the caller's, or the tournament is."""
    if not (caller().owns(author) or caller().owns(tournament.organiser)):
        raise NotFound(
            f"you have no bot {bot[:40]!a}, and only the organiser of {tournament.name} "
            "enters others'"
        )


def _status(number: pb.MatchStatus.ValueType) -> MatchStatus | None:
    if number == pb.MATCH_STATUS_UNSPECIFIED:
        return None
    if number not in _STATUSES:
        raise Refused(pb.REASON_INVALID, f"there is no status of matches with the number {number}")
    return _STATUSES[number]
