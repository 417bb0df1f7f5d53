"""A server that is killed, at whatever step, loses nothing and plays nothing twice."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import uuid
from collections import Counter
from pathlib import Path

import pytest

from arena.store import Store, TournamentState
from tests.integration.server.conducting import PATIENCE, bot, conducting, cup, digests, until_done

#: The steps at which it is killed.
STEPS = ("conducting", "claimed", "started", "played", "recorded", "wave grown")


async def killed_at(home: Path, step: str, mark: str) -> Counter[str]:
    """Start a server and kill it as soon as it says that it has come to a step.

    Returns how often it came to which steps, so that a test can tell that it was no other one.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.integration.server.conductor_process",
        str(home),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "ARENA_MARK": mark},
    )
    assert process.stdout is not None
    came: Counter[str] = Counter()
    async with asyncio.timeout(PATIENCE):
        async for line in process.stdout:
            came[json.loads(line)["event"]] += 1
            if came[step]:
                process.send_signal(signal.SIGKILL)
                break
        await process.wait()
    return came


def alive(mark: str) -> list[str]:
    """The processes that descend from a killed server."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append(process.name)
        except OSError:  # it has just ended
            continue
    return found


async def until_gone(mark: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while alive(mark):  # noqa: ASYNC110 - the kernel tells nobody
            await asyncio.sleep(0.02)


@pytest.mark.timeout(600)
async def test_a_server_killed_at_every_step_ends_as_one_left_alone(tmp_path: Path) -> None:
    """The same matches with the same replays, no attempt lost, no process and no folder left."""
    pair = [bot(tmp_path, "ann"), bot(tmp_path, "bob")]
    hit: Counter[str] = Counter()
    mark = uuid.uuid4().hex
    with Store.open(tmp_path / "calm") as calm, Store.open(tmp_path / "killed") as killed:
        for store in (calm, killed):
            made = cup(store, pair, blocks=10, until_clear=0.9999)
            store.running.want(made.id)
        async with conducting(calm) as conductor:
            await until_done(conductor, calm, made)
        for step in STEPS:
            came = await killed_at(tmp_path / "killed", step, mark)
            hit[step] += bool(came[step])
            await until_gone(mark)
        async with conducting(killed) as conductor:
            (progress,) = await until_done(conductor, killed, made)
        assert hit == Counter(STEPS)
        assert progress.state is TournamentState.FINISHED
        assert (progress.voids, progress.holes) == (0, 0)
        assert digests(killed, made) == digests(calm, made)
        left = [entry for entry in (tmp_path / "killed" / "run").iterdir() if entry.is_dir()]
        assert left == []
