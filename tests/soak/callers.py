"""Authors who submit, watchers and spectators: all at once, each on a connection of their own."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

import grpc

from arena.app import accounts
from arena.store import Role, Store
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.archives import packed, upload
from tests.integration.server.calling import Caller
from tests.soak.measured import Calls

CUP: Final = "watched"
_SPECTATORS: Final = 4
"""With a look a second each they keep to what one address may ask for."""
_CONTROL: Final = 50
_PATIENCE: Final = 600.0
"""Seconds for one call."""

_Answer = TypeVar("_Answer")


class Crowd:
    """Who calls a server, and what they were told."""

    def __init__(self, store: Store, authors: int, watchers: int) -> None:
        """So many authors; of the watchers, half watch the tournament, half what they submit."""
        self._store = store
        self._mark = uuid.uuid4().hex
        self._target = ""
        self.authors = [f"author-{number}" for number in range(authors)]
        self._watchers = [f"watcher-{number}" for number in range(watchers // 2)]
        self._own = self.authors[: watchers - len(self._watchers)]
        callers = dict.fromkeys((*self.authors, *self._watchers), Role.AUTHOR)
        self._tokens = {
            name: accounts.add_author(store, name, role).secret
            for name, role in (callers | {"ada": Role.ADMIN}).items()
        }
        self.calls = Calls()
        self._answered = {name: asyncio.Event() for name in self.authors}
        #: By author: the id of the submission, and the states that were watched.
        self.answers: dict[str, str] = {}
        self.watched: dict[str, list[int]] = {}
        #: By watcher of the tournament: how many matches had ended before, and which since.
        self.told: dict[str, tuple[int, list[str]]] = {}

    async def control(self, target: str) -> None:
        """What the simplest call takes while nobody else calls."""
        self._target = target
        async with self._connected() as caller:
            for _ in range(_CONTROL):
                with self.calls.timed("GetStatus, before the crowd"):
                    await caller.admin.GetStatus(pb.GetStatusRequest())
                await asyncio.sleep(0.2)

    async def come(self, ready: int) -> tuple[float, float]:
        """All of it; the seconds until all were answered, and until so many bots were ready."""
        began = time.monotonic()
        async with asyncio.TaskGroup() as group:
            watching = [group.create_task(self._watch(name)) for name in self._watchers]
            passing = [group.create_task(self._look_around(n)) for n in range(_SPECTATORS)]
            own = [group.create_task(self._watch_own(name)) for name in self._own]
            arriving = [group.create_task(self._submit(n)) for n in range(len(self.authors))]
            await asyncio.gather(*arriving)
            answered = time.monotonic() - began
            await self._until_ready(ready)
            over = time.monotonic() - began
            await self._cancel_the_tournament()
            await asyncio.gather(*watching)
            if ready == len(self.authors):
                await asyncio.gather(*own)
            for task in (*passing, *own):
                task.cancel()
        return answered, over

    async def _until_ready(self, wanted: int) -> None:
        """Wait until no more than the others are under way."""
        while len(self.authors) - await asyncio.to_thread(self._unfinished) < wanted:  # noqa: ASYNC110
            await asyncio.sleep(1)

    def _unfinished(self) -> int:
        return len(self._store.submissions.unfinished())

    @asynccontextmanager
    async def _connected(self, name: str = "") -> AsyncIterator[Caller]:
        """On a connection of one's own; without a name one is a spectator."""
        options = [("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.insecure_channel(self._target, options=options) as channel:
            yield Caller(channel, self._tokens.get(name))

    async def _insist(self, call: str, once: Callable[[], Awaitable[_Answer]]) -> _Answer:
        """Ask until there is an answer; errors are counted."""
        while True:
            try:
                return await once()
            except grpc.aio.AioRpcError as error:
                self.calls.failed(call, error)
                await asyncio.sleep(1)

    async def _submit(self, number: int) -> None:
        """Hand a bot in; some do it twice, under the same request id."""
        name = self.authors[number]
        archive = packed(name.replace("author", "bot"), mark=self._mark)
        asked = uuid.uuid4().hex

        async def once() -> str:
            with self.calls.timed("SubmitBot"):
                messages = upload(archive, request_id=asked)
                answer = await caller.bots.SubmitBot(messages, timeout=_PATIENCE)
            return str(answer.submission.id)

        async with self._connected(name) as caller:
            self.answers[name] = await self._insist("SubmitBot", once)
            self._answered[name].set()
            if number % 10 == 0:
                assert await self._insist("SubmitBot", once) == self.answers[name]

    async def _watch_own(self, name: str) -> None:
        """Watch what one handed in until it is over."""

        async def once() -> None:
            self.watched[name] = []
            request = pb.WatchSubmissionRequest(id=self.answers[name])
            stream = caller.bots.WatchSubmission(request)
            async for answer in self._first_timed("WatchSubmission, first message", stream):
                self.watched[name] += [answer.submission.state]

        await self._answered[name].wait()
        async with self._connected(name) as caller:
            await self._insist("WatchSubmission", once)

    async def _watch(self, name: str) -> None:
        """Watch the tournament to its end."""

        async def once() -> None:
            ended: list[str] = []
            stream = caller.tournaments.WatchTournament(pb.WatchTournamentRequest(name=CUP))
            async for answer in self._first_timed("WatchTournament, first message", stream):
                ended.extend(match.id for match in answer.ended)
                self.told[name] = (answer.progress.done - len(ended), ended)

        async with self._connected(name) as caller:
            await self._insist("WatchTournament", once)

    async def _first_timed(self, call: str, stream: AsyncIterable[Any]) -> AsyncIterator[Any]:
        """What a stream brings; its first message is timed."""
        began = time.monotonic()
        first = True
        async for answer in stream:
            if first:
                self.calls.seconds[call].append(time.monotonic() - began)
                first = False
            yield answer

    async def _look_around(self, number: int) -> None:
        """Look at rankings and lists, one a second, until one is sent away."""
        async with self._connected() as caller:
            looks: dict[str, Callable[[], Awaitable[Any]]] = {
                "GetRanking": lambda: caller.rankings.GetRanking(
                    pb.GetRankingRequest(tournament=CUP)
                ),
                "ListBots": lambda: caller.bots.ListBots(pb.ListBotsRequest()),
                "ListMatches": lambda: caller.tournaments.ListMatches(
                    pb.ListMatchesRequest(tournament=CUP)
                ),
                "GetStatus": lambda: caller.admin.GetStatus(pb.GetStatusRequest()),
            }
            await asyncio.sleep(number / _SPECTATORS)
            while True:
                for call, look in looks.items():
                    try:
                        with self.calls.timed(call):
                            await look()
                    except grpc.aio.AioRpcError as error:
                        self.calls.failed(call, error)
                    await asyncio.sleep(1)

    async def _cancel_the_tournament(self) -> None:
        """So that its watchers' streams end."""
        asked = pb.CancelTournamentRequest(request_id=uuid.uuid4().hex, tournament=CUP)
        async with self._connected("ada") as caller:
            await self._insist(
                "CancelTournament", lambda: caller.tournaments.CancelTournament(asked)
            )
