"""What tests call a server with: a connection for each caller, and what it refuses."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from grpc_status import rpc_status

from arena.app.conducting.conductor import Conductor, Status
from arena.app.tournaments.live import Playing
from arena.server.arena import Arena
from arena.server.listening import Listening
from arena.server.refusals import DOMAIN, STATUS
from arena.store import Request, Role, Store
from arenabot.v1 import arena_pb2 as pb
from arenabot.v1 import arena_pb2_grpc as pb_grpc

#: The authors of an arena that is served for tests, and their roles.
ROLES = {
    "ana": Role.AUTHOR,
    "bo": Role.AUTHOR,
    "olga": Role.ORGANISER,
    "otto": Role.ORGANISER,
    "ada": Role.ADMIN,
}

SPECTATOR = "spectator"
"""The name of a caller without a token."""


class QuietConductor(Conductor):
    """Plays and builds nothing, and notes what it was told."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, workers=1)
        self.store = store
        self.draining = False
        self.arrived: list[str] = []
        self.told: list[tuple[str, str]] = []

    async def start(self) -> None:
        """Start nothing."""

    async def want(self, name: str, request: Request | None = None) -> None:
        """Keep that it is wanted, but don't play it."""
        tournament = await asyncio.to_thread(self.store.tournament, name)
        await asyncio.to_thread(self.store.running.want, tournament.id, request)

    def playing(self, tournament_id: int) -> Playing:
        """Whether it is wanted; nothing is ever in play."""
        return Playing(wanted=self.store.running.is_wanted(tournament_id))

    async def changed(self, name: str) -> None:
        """Note it."""
        self.told.append(("changed", name))

    async def cancelled(self, name: str) -> None:
        """Note it."""
        self.told.append(("cancelled", name))

    def submission_arrived(self, submission_id: str) -> None:
        """Note it."""
        self.arrived.append(submission_id)

    def locked_out(self, author: str) -> None:
        """Note it."""
        self.told.append(("locked out", author))

    def status(self) -> Status:
        """Say that nothing is going on."""
        return Status(self.draining, 0, len(self.arrived))

    async def drain(self, bound: float) -> None:
        """Note it; nothing runs that could be waited for."""
        self.told.append(("drain", "forever" if math.isinf(bound) else f"{bound:g}"))
        self.draining = True

    def resume(self) -> None:
        """Note it."""
        self.draining = False

    async def close(self) -> None:
        """End the feeds."""
        self.hub.close()


class Caller:
    """One caller's connection, with a stub for each service."""

    def __init__(self, channel: grpc.aio.Channel, token: str | None = None) -> None:
        """Call over `channel`, with `token` if there is one."""
        self.channel = channel
        self.token = token
        speaking = cast("grpc.aio.Channel", _WithMetadata(channel, bearer(token)))
        self.bots = pb_grpc.BotServiceStub(speaking)
        self.tournaments = pb_grpc.TournamentServiceStub(speaking)
        self.rankings = pb_grpc.RankingServiceStub(speaking)
        self.replays = pb_grpc.ReplayServiceStub(speaking)
        self.admin = pb_grpc.AdminServiceStub(speaking)


def bearer(token: str | None) -> list[tuple[str, str]]:
    """The metadata that tells a server a token."""
    return [] if token is None else [("authorization", f"Bearer {token}")]


class _WithMetadata:
    """A channel whose every call has the same metadata."""

    def __init__(self, channel: grpc.aio.Channel, metadata: list[tuple[str, str]]) -> None:
        self._channel = channel
        self._metadata = metadata

    def __getattr__(self, kind: str) -> Callable[..., Any]:
        make = getattr(self._channel, kind)  # unary_unary and the like
        return lambda *told, **named: partial(make(*told, **named), metadata=self._metadata)


@dataclass(frozen=True)
class Served:
    """A served arena, and who may call it: `served["ana"].bots.ListBots(...)`."""

    arena: Arena
    listening: Listening
    conductor: QuietConductor
    callers: dict[str, Caller] = field(default_factory=dict)

    @property
    def store(self) -> Store:
        """Its store."""
        return self.arena.store

    @property
    def target(self) -> str:
        """Where it is reached."""
        return f"127.0.0.1:{self.listening.port}"

    @property
    def web(self) -> str:
        """Where its HTTP is reached."""
        return f"http://127.0.0.1:{self.listening.web_port}"

    def __getitem__(self, name: str) -> Caller:
        return self.callers[name]


@dataclass
class Refusal:
    """How a call was refused; filled in once it was."""

    error: grpc.aio.AioRpcError = field(init=False)
    #: Seconds after which to try again; None: nothing was said of that.
    again_in: float | None = None

    def __str__(self) -> str:
        return self.error.details() or ""


@contextmanager
def refused(reason: pb.Reason.ValueType) -> Iterator[Refusal]:
    """Expect a call to be refused for that reason, in the form that arena.proto promises."""
    found = Refusal()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        yield found
    found.error = caught.value
    said = reason_of(caught.value)
    assert said == pb.Reason.Name(reason).removeprefix("REASON_"), caught.value.details()
    assert caught.value.code() is STATUS[reason]
    found.again_in = _again_in(caught.value)


def reason_of(error: grpc.aio.AioRpcError) -> str:
    """The reason that an error's ErrorInfo says; empty without one."""
    for detail in _details(error):
        info = ErrorInfo()
        if detail.Unpack(info):
            assert info.domain == DOMAIN
            return str(info.reason)
    return ""


def _again_in(error: grpc.aio.AioRpcError) -> float | None:
    for detail in _details(error):
        info = RetryInfo()
        if detail.Unpack(info):
            return float(info.retry_delay.ToNanoseconds()) / 1e9
    return None


def _details(error: grpc.aio.AioRpcError) -> list[Any]:
    status = rpc_status.from_call(error)
    return [] if status is None else list(status.details)
