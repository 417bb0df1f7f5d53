"""The two servers of one process: gRPC, and HTTP beside it in the same loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arena.app.errors import ArenaError
from arena.server.arena import Arena
from arena.server.authentication import Authenticator
from arena.server.health import SERVICES, Health
from arena.server.http import http_server, listening, web_app
from arena.server.interceptor import Gate
from arena.server.metrics import Metrics
from arena.server.services import add_services
from arena.server.settings import Settings

_GRACE: Final = 5.0
"""Seconds in which calls in flight may end once the server stops."""


class Listening:
    """What listens for calls, from `start` to `stop`."""

    def __init__(self, arena: Arena) -> None:
        """Answer for `arena`."""
        self._arena = arena
        self._settings = arena.settings
        self.metrics = Metrics()
        self.health = Health(arena)
        authenticator = Authenticator(
            arena.store, wrong_per_minute=arena.settings.wrong_tokens_per_minute
        )
        self._gate = Gate(arena, authenticator, self.metrics)
        self._grpc = grpc.aio.server(interceptors=[self._gate], options=_options(arena.settings))
        add_services(self._grpc, arena, authenticator)
        health_pb2_grpc.add_HealthServicer_to_server(self.health.servicer, self._grpc)
        if arena.settings.reflection:
            reflection.enable_server_reflection(
                [*SERVICES[1:], reflection.SERVICE_NAME], self._grpc
            )
        self._http = http_server(web_app(self.metrics, self.health), arena.settings)
        #: Where it listens, once it does; a port that was 0 is known then.
        self.port = 0
        self.web_port = 0
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen. Raises ArenaError if an address or the certificate can't be used."""
        chosen = self._settings
        self.port = _bind(self._grpc, chosen)
        try:
            socket = listening(chosen.web_address, chosen.web_port)
        except OSError as error:
            raise ArenaError(
                f"{chosen.web_address}:{chosen.web_port} can't be listened at "
                f"({error.strerror}): set web_address and web_port"
            ) from None
        self.web_port = socket.getsockname()[1]
        await self._grpc.start()
        self._serving = asyncio.create_task(self._http.serve(sockets=[socket]))

    async def refuse(self) -> None:
        """Take no more calls; those in flight go on."""
        self._gate.stop()
        await self.health.stop()

    async def stop(self, *, grace: float = _GRACE) -> None:
        """Listen no more; calls in flight have `grace` seconds to end."""
        await self.refuse()
        self._gate.end_watches()
        await self._grpc.stop(grace)
        if self._serving is not None:
            self._http.should_exit = True
            await self._serving


def _bind(server: grpc.aio.Server, chosen: Settings) -> int:
    host = f"[{chosen.address}]" if ":" in chosen.address else chosen.address
    where = f"{host}:{chosen.port}"
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
