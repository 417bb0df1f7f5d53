"""The methods of TournamentService by which a tournament is played and watched."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from typing import Any, Final

import grpc

from arena.app.conducting.conducted import ENDED
from arena.app.conducting.hub import Feed, tournament_topic
from arena.app.tournaments.live import Playing, TournamentNews
from arena.server.arena import Arena
from arena.server.refusals import Refused
from arena.server.retries import request
from arena.server.visible import visible
from arena.store import AlreadyDone, MatchStatus, Progress, Store, Tournament
from arena.tournament.broadcast import Cut
from arena.wire import matches as wire
from arena.wire.matches import Known
from arenabot.v1 import arena_pb2 as pb
from arenabot.v1 import arena_pb2_grpc as pb_grpc

Context = grpc.aio.ServicerContext[Any, Any]

LOOKING: Final = 5.0
"""Seconds after which a watched tournament is looked at, though nobody said anything of it:
another program on the same store may play it or change it."""
_RECORDING: Final = 10.0
"""Seconds that a match which was played may take to be in the store."""
_KEPT: Final = 1000
"""Ended matches that are kept for all who watch."""


class Watching(pb_grpc.TournamentServiceServicer, ABC):
    """Part of the service for tournaments, of one arena."""

    def __init__(self, arena: Arena) -> None:
        """Answer for `arena`."""
        self._arena = arena
        self._ended = _Ended(arena.store)

    @abstractmethod
    def _own(self, name: str) -> Tournament:
        """The tournament of that name, if the caller may change it. Blocks. Raises Refused."""

    @abstractmethod
    def _told(self, tournament: Tournament) -> pb.Tournament:
        """All that is shown of a tournament. Blocks."""

    async def RunTournament(
        self, message: pb.RunTournamentRequest, _: Context
    ) -> pb.RunTournamentResponse:
        """Have it played from now on."""
        found = await asyncio.to_thread(self._own, message.tournament)
        asked = request(message, "TournamentService/RunTournament")
        with suppress(AlreadyDone):
            await self._arena.conductor.want(found.name, asked)
        return pb.RunTournamentResponse(tournament=await asyncio.to_thread(self._told, found))

    async def WatchTournament(
        self, message: pb.WatchTournamentRequest, _: Context
    ) -> AsyncIterator[pb.WatchTournamentResponse]:
        """How far it is now, and after each change, until it has ended."""
        store, conductor = self._arena.store, self._arena.conductor
        found = await asyncio.to_thread(visible, store, message.name)
        with conductor.hub.feed(tournament_topic(found.id), _merged) as feed:
            sent: tuple[Progress, Playing] | None = None
            ended: tuple[str, ...] = ()
            now = await asyncio.to_thread(store.progress, found.id)
            playing = conductor.playing(found.id)
            while True:
                if ended or sent != (now, playing):
                    yield pb.WatchTournamentResponse(
                        progress=wire.progress(now, playing),
                        ended=[await self._ended.match(found.id, match) for match in ended],
                    )
                    sent = (now, playing)
                if now.state in ENDED:
                    return
                news = await _next(feed)
                if news is None:
                    now = await asyncio.to_thread(store.progress, found.id)
                    playing, ended = conductor.playing(found.id), ()
                else:
                    # What was published before we looked is older than what we saw.
                    now = max(news.progress, now, key=lambda at: (at.ended, at.voids, at.matches))
                    playing, ended = news.playing, news.ended

    async def WatchMatch(
        self, message: pb.WatchMatchRequest, _: Context
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        """A match in play, line by line, and at the end what came of it."""
        store, conductor = self._arena.store, self._arena.conductor
        found = await asyncio.to_thread(visible, store, message.tournament)
        with conductor.hub.feed(tournament_topic(found.id), _merged) as feed:
            before = await asyncio.to_thread(known, store, found.id, message.match_id)
            broadcast = conductor.broadcast(found.id, message.match_id)
            if broadcast is not None:
                async with aclosing(broadcast.watch()) as lines:
                    try:
                        async for line in lines:
                            yield pb.WatchMatchResponse(line=wire.line(line))
                    except Cut as cut:
                        raise Refused(pb.REASON_RATE_LIMITED, str(cut), again_in=1) from None
                over = await self._recorded(found, before, feed)
            else:
                # It may have ended between the two.
                over = await asyncio.to_thread(known, store, found.id, message.match_id)
                if over.match.status is MatchStatus.PENDING:
                    raise Refused(
                        pb.REASON_WRONG_STATE,
                        f"match {message.match_id} is not being played at this moment: "
                        "watch the tournament to see which are",
                    )
            yield pb.WatchMatchResponse(over=pb.MatchOver(match=wire.match(over)))

    async def _recorded(self, tournament: Tournament, before: Known, feed: Feed[Any]) -> Known:
        """What the store has of a match once its outcome is there, or as it is if it was cut off.

        Raises Refused.
        """
        store, match_id = self._arena.store, before.match.id
        over = before
        with suppress(TimeoutError):
            async with asyncio.timeout(_RECORDING):
                while over.match == before.match:
                    await _next(feed)
                    over = await asyncio.to_thread(known, store, tournament.id, match_id)
        return over


class _Ended:
    """Matches that have ended, read once for all who watch."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[int, str], asyncio.Task[pb.Match]] = OrderedDict()

    async def match(self, tournament_id: int, match_id: str) -> pb.Match:
        """One of them. Raises StoreError."""
        key = (tournament_id, match_id)
        task = self._kept.get(key)
        if task is None or (task.done() and task.exception() is not None):
            task = self._kept[key] = asyncio.create_task(self._read(*key))
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return await asyncio.shield(task)

    async def _read(self, tournament_id: int, match_id: str) -> pb.Match:
        return wire.match(await asyncio.to_thread(known, self._store, tournament_id, match_id))


def known(store: Store, tournament_id: int, match_id: str) -> Known:
    """All that is known of a match. Blocks. Raises NotFound."""
    match = store.match(tournament_id, match_id)
    if match.status is not MatchStatus.DONE:
        return Known(match)
    released = store.is_released(tournament_id, match_id)
    return Known(match, store.result(tournament_id, match_id), released)


def _merged(older: TournamentNews, newer: TournamentNews) -> TournamentNews:
    return newer.after(older)


async def _next(feed: Feed[TournamentNews]) -> TournamentNews | None:
    """The next news; None if there is none for a while. Raises Refused once there never will be."""
    try:
        async with asyncio.timeout(LOOKING):
            return await anext(feed)
    except TimeoutError:
        return None
    except StopAsyncIteration:
        raise Refused(
            pb.REASON_DRAINING, "the arena is being stopped: watch again in a minute", again_in=10
        ) from None
