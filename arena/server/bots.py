"""BotService: submitting bots, and looking at them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Any, Final

import grpc

from arena.app.bots import intake
from arena.app.conducting.hub import submission_topic
from arena.app.tournaments import kept_matches
from arena.sandbox.logs import escaped
from arena.server import calls, pages
from arena.server.arena import Arena
from arena.server.caller import caller
from arena.server.refusals import Refused
from arena.server.retries import request
from arena.server.uploads import PIECE, Messages, Uploads
from arena.server.visible import visible
from arena.store import AlreadyDone, NotFound, Request, StoredSubmission, TooManyUnfinished
from arena.wire import bots as wire
from arenabot.v1 import arena_pb2 as pb
from arenabot.v1 import arena_pb2_grpc as pb_grpc

Context = grpc.aio.ServicerContext[Any, Any]

_CHECKS: Final = 2
"""How many archives are unpacked at a time, each of which may take many times its size."""


class Bots(pb_grpc.BotServiceServicer):
    """Answers for one arena."""

    def __init__(self, arena: Arena) -> None:
        """Answer for `arena`."""
        self._store = arena.store
        self._settings = arena.settings
        self._conductor = arena.conductor
        self._uploads = Uploads(arena.settings)
        self._checks = asyncio.Semaphore(_CHECKS)
        #: What goes on whether or not its caller waits for it.
        self._working: set[asyncio.Task[StoredSubmission]] = set()

    async def SubmitBot(self, messages: Messages, _: Context) -> pb.SubmitBotResponse:
        """Take a bot in; building and qualifying it is the conductor's work."""
        author = caller().name()
        header = await self._uploads.header(messages)
        asked = request(header, "BotService/SubmitBot")
        found = await asyncio.to_thread(self._store.submissions.asked, asked)
        if found is None:
            with ExitStack() as held:
                held.enter_context(self._uploads.room(author, header.size))
                archive = await self._uploads.archive(header, messages)
                # Once all has come, a caller who goes away must not leave it half done.
                work = self._taken_in(author, archive, asked, held.pop_all())
                task = asyncio.create_task(work)
            self._working.add(task)
            task.add_done_callback(self._working.discard)
            found = await asyncio.shield(task)
        calls.about(found.bot)
        return pb.SubmitBotResponse(submission=wire.submission(found))

    async def _taken_in(
        self, author: str, archive: bytes, asked: Request | None, held: ExitStack
    ) -> StoredSubmission:
        """Keep a submission and check it; `held` is given back at the end."""
        with held:
            async with self._checks:
                try:
                    found = await asyncio.to_thread(
                        intake.receive,
                        self._store,
                        author,
                        archive,
                        most_unfinished=self._settings.unfinished_submissions,
                        request=asked,
                    )
                except AlreadyDone as done:
                    return await asyncio.to_thread(self._store.submissions.get, done.target)
                except TooManyUnfinished as many:
                    raise Refused(pb.REASON_RATE_LIMITED, str(many), again_in=30) from None
                return await self._checked(found)

    async def _checked(self, found: StoredSubmission) -> StoredSubmission:
        """Check a submission, and tell the conductor of it, who goes on where this fails."""
        checked = found
        try:
            checked = await asyncio.to_thread(intake.check, self._store, found)
        finally:
            if not checked.state.over:
                self._conductor.submission_arrived(found.id)
        if checked != found:
            # Of one that had come before, the conductor tells more than is known here.
            self._conductor.hub.publish(submission_topic(found.id), checked)
        return checked

    async def GetSubmission(
        self, message: pb.GetSubmissionRequest, _: Context
    ) -> pb.GetSubmissionResponse:
        """One submission."""
        found = await asyncio.to_thread(self._own, message.id)
        return pb.GetSubmissionResponse(submission=wire.submission(found))

    async def WatchSubmission(
        self, message: pb.WatchSubmissionRequest, _: Context
    ) -> AsyncIterator[pb.WatchSubmissionResponse]:
        """A submission now and after each change, until it is over."""
        with self._conductor.hub.feed(submission_topic(message.id)) as feed:
            found = await asyncio.to_thread(self._own, message.id)
            yield pb.WatchSubmissionResponse(submission=wire.submission(found))
            while not found.state.over:
                news = await anext(feed, None)
                if news is None:
                    return
                if news != found:
                    found = news
                    yield pb.WatchSubmissionResponse(submission=wire.submission(found))

    async def ListSubmissions(
        self, message: pb.ListSubmissionsRequest, _: Context
    ) -> pb.ListSubmissionsResponse:
        """One's own submissions, or everybody's for an admin, the newest first."""
        size = pages.size(message.page_size)
        before = pages.key(message.page_token, str)
        found = await asyncio.to_thread(
            self._store.submissions.page,
            None if caller().admin else caller().name(),
            before=None if before is None else str(before[0]),
            size=size + 1,
        )
        more = (found[size - 1].id,) if len(found) > size else None
        return pb.ListSubmissionsResponse(
            submissions=[wire.submission(one) for one in found[:size]],
            next_page_token=pages.token(more),
        )

    async def ListBots(self, message: pb.ListBotsRequest, _: Context) -> pb.ListBotsResponse:
        """All bots, by name."""
        size = pages.size(message.page_size)
        after = pages.key(message.page_token, str)
        found = await asyncio.to_thread(
            self._store.roster.page,
            author=message.author or None,
            after=None if after is None else str(after[0]),
            size=size + 1,
        )
        more = (found[size - 1].name,) if len(found) > size else None
        return pb.ListBotsResponse(
            bots=[wire.bot(bot) for bot in found[:size]], next_page_token=pages.token(more)
        )

    async def GetBot(self, message: pb.GetBotRequest, _: Context) -> pb.GetBotResponse:
        """One bot, its versions, and where they play."""
        return await asyncio.to_thread(self._bot, message.name)

    def _bot(self, name: str) -> pb.GetBotResponse:
        who = caller()
        roster = self._store.roster
        return pb.GetBotResponse(
            bot=wire.bot(roster.bot(name)),
            versions=[wire.version(version) for version in self._store.versions(name)],
            appearances=wire.appearances(
                roster.appearances(name, who.author, everything=who.admin)
            ),
        )

    async def GetLog(
        self, message: pb.GetLogRequest, _: Context
    ) -> AsyncIterator[pb.GetLogResponse]:
        """What a bot printed, in pieces."""
        of = message.WhichOneof("of")
        if of is None:
            raise Refused(pb.REASON_INVALID, "say of what: a submission, or a seat in a match")
        if of == "submission":
            log = await asyncio.to_thread(self._submission_log, message.submission)
        else:
            log = await asyncio.to_thread(self._seat_log, message.seat)
        for at in range(0, len(log), PIECE):
            yield pb.GetLogResponse(data=log[at : at + PIECE])

    async def RetireBot(self, message: pb.RetireBotRequest, _: Context) -> pb.RetireBotResponse:
        """Take versions out of what can be entered."""
        asked = request(message, "BotService/RetireBot")
        return await asyncio.to_thread(self._retire, message, asked)

    def _retire(self, message: pb.RetireBotRequest, asked: Request | None) -> pb.RetireBotResponse:
        roster = self._store.roster
        if not caller().owns(roster.owner(message.bot)):
            raise NotFound(f"you have no bot {message.bot[:40]!a}: `arena bot list` shows all bots")
        try:
            bot = roster.retire(message.bot, message.version or None, request=asked)
        except AlreadyDone as done:
            bot = roster.bot(done.target)
        return pb.RetireBotResponse(bot=wire.bot(bot))

    def _own(self, id_: str) -> StoredSubmission:
        """The submission of that id, if it is the caller's. Raises NotFound if it isn't, too."""
        found = self._store.submissions.get(id_)
        if not caller().owns(found.author):
            raise NotFound(f"there is no submission {id_[:40]!a}")
        return found

    def _submission_log(self, id_: str) -> bytes:
        found = self._own(id_)
        return b"" if found.log is None else _shown(self._store.blob(found.log))

    def _seat_log(self, asked: pb.SeatLog) -> bytes:
        tournament = visible(self._store, asked.tournament)
        match_id = kept_matches.full_id(self._store, tournament, asked.match_id)
        seating = self._store.match(tournament.id, match_id).seating
        if asked.seat < len(seating):
            version = next(
                entry.version
                for entry in tournament.entries
                if entry.position == seating[asked.seat]
            )
            if not (caller().owns(version.author) or caller().owns(tournament.organiser)):
                raise NotFound("only a bot's author and the tournament's organiser read its logs")
        _, log = kept_matches.seat_log(self._store, tournament, match_id, asked.seat)
        return _shown(log)


def _shown(log: bytes) -> bytes:
    """A log that nothing in it can upset a terminal."""
    return escaped(log.decode(errors="replace")).encode()
