"""Whatever kills an arena, its bots are cleaned up, and nobody else's."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.sandbox import SandboxFailed
from arena.sandbox.instance import Instance
from arena.sandbox.reap import Reaped, reap, reap_workers
from tests.contract.sandbox.conftest import CONTAINED

if TYPE_CHECKING:
    from tests.contract.sandbox.conftest import Place


@pytest.fixture
async def alive(place: Place) -> AsyncIterator[None]:
    """A bot of a living run, which must answer at the end as it did at the beginning."""
    bot = await place.start("serve")
    yield
    assert await place.ask(bot, "hello") == "hello"


def clean(place: Place, runtime: Path, store: str = "test-store") -> Reaped:
    """Reap as an arena that starts does; what it does with no engine is tested elsewhere."""
    return replace(reap(store, runtime, uids=place.uids), engine_answered=True)


async def test_a_killed_run_is_cleaned_and_a_living_one_is_not(
    place: Place, alive: None, tmp_path: Path
) -> None:
    """After kill -9, containers, processes, mounts, folders and uids of that run alone are gone."""
    before = place.traces()
    with place.held(tmp_path / "run") as other:
        assert clean(place, tmp_path / "run").runs == 0
        other.end(signal.SIGKILL)
    done = clean(place, tmp_path / "run")
    expected = (1, 2, 2, 2) if place.contained else (1, 0, 0, 0)
    assert (done.runs, done.containers, done.mounts, done.uids) == expected
    assert not other.path.exists()
    assert place.traces() == before
    assert clean(place, tmp_path / "run") == Reaped()


async def test_an_interrupted_run_leaves_nothing_to_clean(
    place: Place, alive: None, tmp_path: Path
) -> None:
    """Ctrl-C stops all bots before the arena ends."""
    before = place.traces()
    with place.held(tmp_path / "run") as other:
        other.end(signal.SIGINT)
    assert not other.path.exists()
    assert place.traces() == before
    assert clean(place, tmp_path / "run") == Reaped()


async def test_another_stores_runs_are_left_alone(
    place: Place, alive: None, tmp_path: Path
) -> None:
    """Neither another store id nor another runtime folder is ours, be it dead or alive."""
    with place.held(tmp_path / "elsewhere", bots=1) as other:
        other.end(signal.SIGKILL)
    assert clean(place, tmp_path / "run") == Reaped()
    assert clean(place, tmp_path / "run", "other-store") == Reaped()
    assert other.path.exists()
    assert clean(place, tmp_path / "elsewhere").runs == 1


async def test_a_run_lives_as_long_as_one_process_of_it(
    place: Place, alive: None, tmp_path: Path
) -> None:
    """A killed worker's bots are cleaned by its own run, and not by anybody else."""
    before = place.traces()
    with place.held(tmp_path / "run", join=str(place.instance.path)) as worker:
        assert reap_workers(place.instance, uids=place.uids).runs == 0
        worker.end(signal.SIGKILL)
        assert clean(place, tmp_path / "run") == Reaped()
    done = reap_workers(place.instance, uids=place.uids)
    expected = (1, 2, 2, 2) if place.contained else (1, 0, 0, 0)
    assert (done.runs, done.containers, done.mounts, done.uids) == expected
    assert place.traces() == before


@pytest.mark.parametrize("wait", [0, 0.01, 0.05, 0.1, 0.2])
async def test_a_run_killed_at_any_moment_of_a_start_is_cleaned(
    place: Place, alive: None, tmp_path: Path, wait: float
) -> None:
    """Whatever a start has made by then, cleaning up finds it."""
    before = place.traces()
    with place.held(tmp_path / "run", ready=False) as other:
        await asyncio.sleep(wait)
        other.end(signal.SIGKILL)
    clean(place, tmp_path / "run")
    assert not other.path.exists()
    # The engine may still have been creating a container for the dead; the next start finds it.
    await asyncio.sleep(0.3)
    clean(place, tmp_path / "run")
    assert place.traces() == before
    assert place.of_run(other.path) == []


@pytest.mark.parametrize("kind", ["process"])
async def test_children_of_a_killed_arenas_bot_are_cleaned(place: Place, tmp_path: Path) -> None:
    """A bot's child in a session of its own survives the arena, and not the cleaning."""
    with place.held(tmp_path / "run", bots=1, behaviour="serve_with_child") as other:
        marker = f"1000.{other.process.pid}"
        other.end(signal.SIGKILL)
    assert place.processes_with(marker) != []
    clean(place, tmp_path / "run")
    assert place.processes_with(marker) == []


@pytest.mark.parametrize("kind", CONTAINED)
async def test_threads_of_a_killed_arenas_bot_are_cleaned(place: Place, tmp_path: Path) -> None:
    """Nor do threads survive it whose main thread has ended."""
    with place.held(tmp_path / "run", bots=1, behaviour="serve_headless") as other:
        other.end(signal.SIGKILL)
    (uid,) = (path.name for path in place.uids.glob("*") if path.stat().st_size)
    if place.kind == "docker":  # else they end with the arena's connection to the zygote
        assert threads_of(int(uid)) > 0
    clean(place, tmp_path / "run")
    assert threads_of(int(uid)) == 0


def threads_of(uid: int) -> int:
    """How many threads the user has."""
    found = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found += (process.stat().st_uid == uid) and len(list((process / "task").iterdir()))
    return found


@pytest.mark.parametrize("kind", ["process"])
async def test_a_machine_without_an_engine_is_cleaned_too(place: Place, tmp_path: Path) -> None:
    """What never had a container is cleaned although no engine answers."""
    with place.held(tmp_path / "run", bots=1) as other:
        other.end(signal.SIGKILL)
    done = reap("test-store", tmp_path / "run", host=f"unix://{tmp_path}/none", uids=place.uids)
    assert (done.runs, done.engine_answered) == (1, False)
    assert not other.path.exists()


@pytest.mark.parametrize("kind", ["process"])
async def test_bots_without_a_container_die_with_their_arena(place: Place, tmp_path: Path) -> None:
    """A trusted bot's process is gone at once when its arena is killed, before any cleaning."""
    with place.held(tmp_path / "run", bots=1) as other:
        children = _children(other.process.pid)
        assert len(children) == 1
        other.end(signal.SIGKILL)
    async with asyncio.timeout(5):
        while any(_runs(child) for child in children):  # noqa: ASYNC110 - the kernel has no event
            await asyncio.sleep(0.01)
    assert clean(place, tmp_path / "run").runs == 1


def test_a_run_that_has_ended_cant_be_joined(tmp_path: Path) -> None:
    """A worker that comes too late is told so."""
    with Instance.create(tmp_path, "test-store") as instance:
        pass
    with pytest.raises(SandboxFailed, match="has ended"):
        Instance.join(instance.path)


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in text.split()]


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
