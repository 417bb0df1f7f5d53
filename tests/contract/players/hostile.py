"""Bots that break the protocol in every way, as servers in the test's own process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health

from arena.players.remote import Diagnose, RemotePlayer
from arenabot import wire
from arenabot.actions import CLAIM
from arenabot.v1 import player_pb2 as player
from tests.contract.players.conftest import info

Requests: TypeAlias = AsyncIterator[player.PlayRequest]
#: Plays one match; what it yields are the bytes of its answers.
Play: TypeAlias = Callable[[Requests, Any], AsyncIterator[bytes]]


def claim(seq: int) -> bytes:
    """An answer: a claim."""
    return wire.answer(seq, CLAIM).SerializeToString()


def ready(seq: int) -> bytes:
    """An answer: ready."""
    return wire.ready(seq).SerializeToString()


async def questions(requests: Requests) -> AsyncIterator[player.PlayRequest]:
    """The turns and ready checks among what the arena sends."""
    async for request in requests:
        if request.WhichOneof("message") in {"your_turn", "ready_check"}:
            yield request


async def honest(requests: Requests, _: Any) -> AsyncIterator[bytes]:
    """Claim in every turn, be ready in between."""
    async for request in questions(requests):
        turn = request.WhichOneof("message") == "your_turn"
        yield claim(request.seq) if turn else ready(request.seq)


@asynccontextmanager
async def listening(
    play: Play | None = honest,
    status: Any = health_pb2.HealthCheckResponse.SERVING,
    options: Sequence[tuple[str, int]] = (),
) -> AsyncIterator[tuple[str, health.HealthServicer]]:
    """Serve ``play``, or no player service at all, and health with ``status`` unless ``None``."""
    server = grpc.aio.server(options=options)
    servicer = health.HealthServicer()
    if status is not None:
        await servicer.set("", status)
        health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    if play is not None:
        handler: grpc.RpcMethodHandler[Any, bytes] = grpc.stream_stream_rpc_method_handler(
            play, request_deserializer=player.PlayRequest.FromString
        )
        service = grpc.method_handlers_generic_handler(
            "arenabot.v1.PlayerService", {"Play": handler}
        )
        server.add_generic_rpc_handlers((service,))
    with TemporaryDirectory(prefix="bot-") as folder:
        address = f"unix:{folder}/bot.sock"
        server.add_insecure_port(address)
        await server.start()
        try:
            yield address, servicer
        finally:
            await server.stop(grace=None)


@asynccontextmanager
async def raw(talk: Callable[..., Awaitable[None]]) -> AsyncIterator[str]:
    """Something that listens, but whose bytes are none of gRPC's."""
    with TemporaryDirectory(prefix="bot-") as folder:
        path = Path(folder) / "bot.sock"
        server = await asyncio.start_unix_server(talk, path)
        try:
            yield f"unix:{path}"
        finally:
            server.close()
            await server.wait_closed()


@asynccontextmanager
async def playing(
    address: str, *, diagnose: Diagnose | None = None, start: float = 5.0
) -> AsyncIterator[RemotePlayer]:
    """A player that has started its match at ``address``, and is closed in the end."""
    remote = RemotePlayer(address, diagnose=diagnose)
    try:
        await remote.start("m", info(), start)
        yield remote
    finally:
        await remote.close()
