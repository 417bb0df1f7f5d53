"""A service that does as a test says, behind the gate that is before every service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest

from arena.app import accounts
from arena.server.arena import Arena
from arena.server.authentication import Authenticator
from arena.server.caller import Caller as Who
from arena.server.caller import caller
from arena.server.interceptor import Gate
from arena.server.metrics import Metrics
from arena.server.settings import Settings
from arena.store import Role, Store
from arenabot.v1 import arena_pb2 as pb
from arenabot.v1 import arena_pb2_grpc as pb_grpc
from tests.integration.server.calling import Caller, QuietConductor


class Scripted(pb_grpc.BotServiceServicer):
    """Answers as a test says, and notes who called."""

    def __init__(self) -> None:
        self.callers: list[Who] = []
        self.does: Callable[[], Any] = lambda: None
        self.running = asyncio.Event()
        self.ended = asyncio.Event()
        #: Large answers in a stream before its last one, and whether the stream was let go of.
        self.more = 0
        self.closed = asyncio.Event()

    async def _do(self) -> None:
        self.callers.append(caller())
        self.running.set()
        try:
            done = self.does()
            if done is not None:
                await done
        finally:
            self.ended.set()

    async def GetBot(self, _: pb.GetBotRequest, _context: Any) -> pb.GetBotResponse:  # noqa: N802
        """For anybody; changes nothing."""
        await self._do()
        return pb.GetBotResponse()

    async def RetireBot(  # noqa: N802
        self, _: pb.RetireBotRequest, _context: Any
    ) -> pb.RetireBotResponse:
        """For authors; changes something."""
        await self._do()
        return pb.RetireBotResponse()

    async def SubmitBot(  # noqa: N802
        self, messages: AsyncIterator[pb.SubmitBotRequest], _: Any
    ) -> pb.SubmitBotResponse:
        """A stream of requests."""
        async for _message in messages:
            await self._do()
        return pb.SubmitBotResponse()

    async def WatchSubmission(  # noqa: N802
        self, _: pb.WatchSubmissionRequest, _context: Any
    ) -> AsyncIterator[pb.WatchSubmissionResponse]:
        """A stream of answers: one, then what the test says, then another one, or `more`."""
        yield pb.WatchSubmissionResponse()
        await self._do()
        try:
            for _each in range(self.more):
                yield pb.WatchSubmissionResponse(submission=pb.Submission(reason="x" * 60_000))
            yield pb.WatchSubmissionResponse()
        finally:
            self.closed.set()


@dataclass
class Guarded:
    """A scripted service behind a gate, and how to call it."""

    store: Store
    service: Scripted
    gate: Gate
    authenticator: Authenticator
    metrics: Metrics
    target: str
    opened: AsyncExitStack
    tokens: dict[str, str] = field(default_factory=dict)

    async def caller(self, token: str | None = None) -> Caller:
        """Somebody with that token."""
        channel = await self.opened.enter_async_context(grpc.aio.insecure_channel(self.target))
        return Caller(channel, token)

    async def __call__(self, name: str) -> Caller:
        return await self.caller(self.tokens[name])

    def audit(self) -> list[tuple[str | None, str, str, str]]:
        """The audit log, the oldest first."""
        return [
            (entry.author, entry.method, entry.target, entry.outcome)
            for entry in reversed(self.store.audit.entries())
        ]

    def counted(self, method: str, code: str) -> float:
        """How many calls the metrics have of that kind."""
        found = self.metrics.registry.get_sample_value(
            "arena_calls_total", {"method": method, "code": code}
        )
        return found or 0.0


@pytest.fixture
async def guarded(store: Store, chosen: dict[str, Any]) -> AsyncIterator[Guarded]:
    """The service with an author ana, another one bo, and the gate's settings as chosen."""
    settings = Settings(**chosen)
    authenticator = Authenticator(store, wrong_per_minute=settings.wrong_tokens_per_minute)
    metrics = Metrics()
    gate = Gate(Arena(store, settings, QuietConductor(store)), authenticator, metrics)
    server = grpc.aio.server(interceptors=[gate])
    service = Scripted()  # type: ignore[abstract]
    pb_grpc.add_BotServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with AsyncExitStack() as opened:
        opened.push_async_callback(server.stop, 0)
        made = Guarded(store, service, gate, authenticator, metrics, f"127.0.0.1:{port}", opened)
        for name in ("ana", "bo"):
            made.tokens[name] = accounts.add_author(store, name, Role.AUTHOR).secret
        yield made


GET, RETIRE = pb.GetBotRequest(name="greedy"), pb.RetireBotRequest(bot="greedy")
WATCH = pb.WatchSubmissionRequest(id="x")


def fail(error: Exception) -> None:
    raise error


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - it happens elsewhere
            await asyncio.sleep(0.02)
