"""Stopped at any moment, once or twice, a command ends with its line and leaves nothing behind."""

from __future__ import annotations

import random
import signal
import time

import pytest

from tests.integration.cli.arenas import Arena

#: Seconds until Python is there to be stopped, and in which a demo sets itself up and plays.
LOADED, SPREAD = 0.15, 4.0


@pytest.mark.parametrize("often", [1, 2])
@pytest.mark.parametrize("part", range(4))
def test_a_demo_that_is_stopped_ends_with_one_line(arena: Arena, part: int, often: int) -> None:
    """Whether it loads, writes, starts its match workers or plays."""
    chance = random.Random(f"{part} {often}")
    with arena.start("demo") as process:
        time.sleep(LOADED + SPREAD * (part + chance.random()) / 4)
        for _ in range(often):
            process.send_signal(chance.choice((signal.SIGINT, signal.SIGTERM)))
            time.sleep(chance.uniform(0, 0.1))
        _, err = process.communicate(timeout=60)
    *before, last = err.splitlines() or [""]
    assert all(line.startswith("demo: ") for line in before), err
    assert last.startswith("arena: stopped") or not last, err
    assert arena.processes() == []
