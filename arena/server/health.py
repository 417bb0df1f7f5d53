"""Whether the server is ready, and who is told so."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog
from grpc_health.v1 import health, health_pb2

from arena.sandbox.engine import Engine
from arena.sandbox.errors import SandboxError
from arena.server.arena import Arena
from arena.store import StoreError
from arenabot.v1 import arena_pb2 as pb

_EVERY: Final = 5.0
"""Seconds between two looks at the database and the container engine."""

_PATIENCE: Final = 10.0
"""Seconds after which what hasn't answered is away."""

_STARTING: Final = "starting"

SERVICES: Final = (
    "",
    *(service.full_name for service in pb.DESCRIPTOR.services_by_name.values()),
)
"""Of what the standard health service of gRPC tells: the whole, and each service."""


class Health:
    """What keeps the server from being ready, looked at again and again."""

    def __init__(self, arena: Arena) -> None:
        """Look after `arena`."""
        self._arena = arena
        self._found = _STARTING
        self._stopping = False
        #: The standard health service.
        self.servicer = health.aio.HealthServicer()
        self._log = structlog.get_logger("arena.health")

    @property
    def trouble(self) -> str:
        """Why the server isn't ready, in a few words; nothing if it is."""
        if self._stopping:
            return "stopping"
        if not self._found and self._arena.conductor.status().draining:
            return "draining"
        return self._found

    async def stop(self) -> None:
        """Tell everybody that the server is going."""
        self._stopping = True
        await self._tell()

    async def watch(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(_EVERY)

    async def look(self) -> None:
        """Look once."""
        before = self._found
        self._found = await _away(self._arena)
        if self._found != before:
            self._log.info("readiness", trouble=self._found)
        await self._tell()

    async def _tell(self) -> None:
        serving = health_pb2.HealthCheckResponse.SERVING
        away = health_pb2.HealthCheckResponse.NOT_SERVING
        for service in SERVICES:
            await self.servicer.set(service, away if self.trouble else serving)


async def _away(arena: Arena) -> str:
    """What doesn't answer, in a few words; nothing if all does."""
    try:
        async with asyncio.timeout(_PATIENCE):
            await asyncio.to_thread(arena.store.accounts.has_admin)
    except (StoreError, TimeoutError):
        return "the database is away"
    try:
        async with asyncio.timeout(_PATIENCE):
            await asyncio.to_thread(_ask_engine)
    except (SandboxError, TimeoutError):
        return "the container engine is away"
    return ""


def _ask_engine() -> None:
    engine = Engine()
    try:
        engine.info()
    finally:
        engine.close()
