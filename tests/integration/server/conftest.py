"""A whole server in this process, on free ports of the loopback address, with an SQLite store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.app import accounts
from arena.server.arena import Arena
from arena.server.listening import Listening
from arena.server.settings import Settings
from arena.store import Store
from tests.integration.server.calling import ROLES, SPECTATOR, Caller, QuietConductor, Served
from tests.integration.tournament.conftest import image

__all__ = ["image"]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """An empty store, which is also this process's own arena."""
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    with Store.open() as opened:
        yield opened


@pytest.fixture
def chosen() -> dict[str, Any]:
    """Settings that differ from the defaults; a test module may have a fixture of its own."""
    return {}


@pytest.fixture
async def served(store: Store, chosen: dict[str, Any]) -> AsyncIterator[Served]:
    """A server with two authors, two organisers, an admin and a spectator, who are connected."""
    conductor = QuietConductor(store)
    # Many tests are one caller each; those of limits choose their own.
    wide = {"calls_at_once": 10_000, "spectator_calls_at_once": 10_000, "streams_at_once": 1000}
    arena = Arena(store, Settings(**{"port": 0, "web_port": 0, **wide, **chosen}), conductor)
    listening = Listening(arena)
    async with AsyncExitStack() as ending:
        ending.push_async_callback(listening.stop, grace=0)
        listening.bind()
        await listening.start()
        made = Served(arena, listening, conductor)
        secrets = {name: accounts.add_author(store, name, ROLES[name]).secret for name in ROLES}
        for name in (*ROLES, SPECTATOR):
            channel = await ending.enter_async_context(grpc.aio.insecure_channel(made.target))
            made.callers[name] = Caller(channel, secrets.get(name))
        yield made
