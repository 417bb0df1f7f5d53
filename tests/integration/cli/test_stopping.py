"""Stopped at any moment, once or twice, a command ends with its line and leaves nothing behind."""

from __future__ import annotations

import json
import random
import signal
import time

import pytest

from tests.integration.cli.arenas import Arena

#: Seconds until Python is there to be stopped, and in which a command sets itself up and works.
LOADED, SPREAD = 0.15, 4.0
#: Which quarter of that, and how often; the other half takes too long for every day.
MOMENTS = [
    pytest.param(part, often, marks=() if (part + often) % 2 else pytest.mark.soak)
    for part in range(4)
    for often in (1, 2)
]


def stopped(arena: Arena, command: str, part: int, often: int) -> list[str]:
    """The lines of a command that was stopped so often, in this quarter of its first seconds."""
    chance = random.Random(f"{command} {part} {often}")
    with arena.start(command) as process:
        time.sleep(LOADED + SPREAD * (part + chance.random()) / 4)
        for _ in range(often):
            process.send_signal(chance.choice((signal.SIGINT, signal.SIGTERM)))
            time.sleep(chance.uniform(0, 0.1))
        _, err = process.communicate(timeout=60)
    assert arena.processes() == []
    return err.splitlines()


@pytest.mark.parametrize(("part", "often"), MOMENTS)
def test_a_demo_ends_with_one_line(arena: Arena, part: int, often: int) -> None:
    """Whether it loads, writes, starts its match workers or plays."""
    told = [line for line in stopped(arena, "demo", part, often) if not line.startswith("demo: ")]
    assert len(told) <= 1, told
    assert all(line.startswith("arena: stopped") for line in told), told


@pytest.mark.parametrize(("part", "often"), MOMENTS)
def test_a_server_ends_with_no_error(arena: Arena, part: int, often: int) -> None:
    """Whether it loads, opens its store, serves, or has just ended."""
    lines = stopped(arena, "serve", part, often)
    logged = [json.loads(line) for line in lines if line.startswith("{")]
    assert all(entry["level"] != "error" for entry in logged), logged
    told = [line for line in lines if not line.startswith(("{", "arena_", "there was no admin"))]
    assert told in ([], ["arena: stopped"]), told
