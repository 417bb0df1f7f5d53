"""Containers that an engine would not remove at once."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from arena.sandbox.docker import DockerSandbox, Holding
from arena.sandbox.errors import SandboxFailed
from arena.sandbox.uids import take_uid

if TYPE_CHECKING:
    from arena.sandbox.instance import Instance

THREADS = 8


class Engine:
    """Removes no container until it is mended."""

    def __init__(self) -> None:
        self.mended = False
        self.removed: list[str] = []

    def remove(self, name: str) -> None:
        """Remove a container, or give no answer."""
        if not self.mended:
            raise SandboxFailed("no answer")
        self.removed.append(name)

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def engine() -> Engine:
    return Engine()


@pytest.fixture
def sandbox(engine: Engine, tmp_path: Path) -> DockerSandbox:
    made = DockerSandbox(cast("Instance", None), host="unix:///nowhere", uids=tmp_path / "uids")
    made.engine = cast("Any", engine)
    return made


def taken(sandbox: DockerSandbox) -> list[str]:
    """The user ids that are not free."""
    return [path.name for path in sandbox.uids.glob("[0-9]*") if path.stat().st_size]


def test_none_is_lost_whichever_threads_find_and_retry_them(
    sandbox: DockerSandbox, engine: Engine
) -> None:
    """Each is removed once in the end, and its user id given back."""
    names = [[f"{thread}-{number}" for number in range(20)] for thread in range(THREADS)]
    together = threading.Barrier(THREADS)

    def work(own: list[str]) -> None:
        together.wait()
        for name in own:
            sandbox.remove(name, Holding(take_uid(sandbox.uids, "test"), None))
            sandbox._remove_leftovers()

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(work, names))
    assert len(taken(sandbox)) == sum(map(len, names))
    engine.mended = True
    asyncio.run(sandbox.close())
    assert sorted(engine.removed) == sorted(name for own in names for name in own)
    assert taken(sandbox) == []


def test_what_cant_be_removed_at_the_end_keeps_its_user_id(sandbox: DockerSandbox) -> None:
    """Its bot may live, so the id is marked as taken for `reap` to give back."""
    lease = take_uid(sandbox.uids, "test")
    sandbox.remove("one", Holding(lease, None))
    asyncio.run(sandbox.close())
    assert taken(sandbox) == [str(lease.number)]
