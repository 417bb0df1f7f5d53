"""The two servers of one process: gRPC, and HTTP beside it in the same loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from starlette.types import ASGIApp

from arena.app.errors import ArenaError
from arena.app.rankings.cache import RankingCache
from arena.server.arena import Arena
from arena.server.authentication import Authenticator
from arena.server.health import SERVICES, Health
from arena.server.http import http_server, listening, web_app
from arena.server.interceptor import Gate
from arena.server.limits import Buckets
from arena.server.metrics import Metrics
from arena.server.services import add_services
from arena.server.settings import Settings
from arena.web import make_pages

_GRACE: Final = 5.0
"""Seconds in which calls in flight may end once the server stops."""


class Listening:
    """What listens for calls, from `start` to `stop`."""

    def __init__(self, arena: Arena) -> None:
        """Answer for `arena`."""
        self._arena = arena
        self._settings = arena.settings
        self.metrics = Metrics()
        self.metrics.follow(arena.conductor)
        self.health = Health(arena)
        #: One for calls and pages, so that nothing is worked out twice.
        self._rankings = RankingCache(arena.store)
        authenticator = Authenticator(
            arena.store, wrong_per_minute=arena.settings.wrong_tokens_per_minute
        )
        self._gate = Gate(arena, authenticator, self.metrics)
        self._grpc = grpc.aio.server(interceptors=[self._gate], options=_options(arena.settings))
        add_services(self._grpc, arena, authenticator, self._rankings)
        health_pb2_grpc.add_HealthServicer_to_server(self.health.servicer, self._grpc)
        if arena.settings.reflection:
            reflection.enable_server_reflection(
                [*SERVICES[1:], reflection.SERVICE_NAME], self._grpc
            )
        self._http = http_server(
            web_app(arena.store, self.metrics, self.health, _pages(arena, self._rankings)),
            arena.settings,
        )
        #: Where it listens, once it is bound; a port that was 0 is known then.
        self.port = 0
        self.web_port = 0
        self._sockets: list[socket.socket] = []
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def where(self) -> str:
        """Where it is reached, for people."""
        chosen, secure = self._settings, "s" if self._settings.tls else ""
        return (
            f"gRPC at {_joined(chosen.address, self.port)}{' (TLS)' if chosen.tls else ''}, "
            f"HTTP at http{secure}://{_joined(chosen.web_address, self.web_port)}"
        )

    def bind(self) -> None:
        """Take the ports. Raises ArenaError if an address or the certificate can't be used."""
        chosen = self._settings
        self.port = _bind(self._grpc, chosen)
        try:
            self._sockets = [listening(chosen.web_address, chosen.web_port)]
        except OSError as error:
            where = _joined(chosen.web_address, chosen.web_port)
            raise ArenaError(
                f"{where} can't be listened at ({error.strerror}): set web_address and web_port"
            ) from None
        self.web_port = self._sockets[0].getsockname()[1]

    async def start(self) -> None:
        """Answer; once it is bound."""
        await self.health.look()
        await self._grpc.start()
        self._rankings.warm()
        self._tasks = [
            asyncio.create_task(self._http.serve(sockets=self._sockets)),
            asyncio.create_task(self.health.watch()),
        ]
        while not (self._http.started or self._tasks[0].done()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)  # uvicorn has nothing to wait for

    async def refuse(self) -> None:
        """Take no more calls; those in flight go on."""
        self._gate.stop()
        await self.health.stop()

    async def stop(self, *, grace: float = _GRACE) -> None:
        """Listen no more; calls in flight have `grace` seconds to end."""
        await self.refuse()
        self._gate.end_watches()
        await self._grpc.stop(grace)
        self._http.should_exit = True
        if self._tasks:
            serving, watching = self._tasks
            watching.cancel()
            await asyncio.wait({serving, watching})
        for bound in self._sockets:
            bound.close()
        self.metrics.close()
        self._rankings.close()


def _pages(arena: Arena, rankings: RankingCache) -> ASGIApp:
    chosen = arena.settings
    wrong = chosen.wrong_tokens_per_minute
    return make_pages(
        arena.store,
        conductor=arena.conductor,
        rankings=rankings,
        wrong_tokens=Buckets(wrong / 60, max(1.0, wrong)),
        views=Buckets(chosen.pages_per_second, chosen.pages_at_once),
        spectators=chosen.spectators,
        upload_bytes=chosen.upload_bytes,
        unfinished=chosen.unfinished_submissions,
    )


def _bind(server: grpc.aio.Server, chosen: Settings) -> int:
    where = _joined(chosen.address, chosen.port)
    try:
        if chosen.tls_key is None or chosen.tls_certificate is None:
            return server.add_insecure_port(where)
        pair = _read(chosen.tls_key), _read(chosen.tls_certificate)
        return server.add_secure_port(where, grpc.ssl_server_credentials([pair]))
    except RuntimeError:
        raise ArenaError(
            f"{where} can't be listened at: perhaps something else listens there, or the "
            "certificate and its key don't fit; set address and port"
        ) from None


def _joined(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ArenaError(f"{file} cannot be read: {error.strerror}") from None


def _options(chosen: Settings) -> Sequence[tuple[str, Any]]:
    """How gRPC itself guards a connection."""
    return (
        ("grpc.so_reuseport", 0),  # two servers on one port would each get half of the calls
        ("grpc.max_receive_message_length", chosen.message_bytes),
        ("grpc.max_metadata_size", chosen.metadata_bytes),
        ("grpc.absolute_max_metadata_size", chosen.metadata_bytes),
        ("grpc.max_concurrent_streams", chosen.streams_per_connection),
        # Who vanished without a word is noticed after a minute and a half.
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.keepalive_timeout_ms", 30_000),
        ("grpc.keepalive_permit_without_calls", 1),
        # Who pings more often than that is cut off.
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 20_000),
        ("grpc.http2.max_ping_strikes", 5),
    )
