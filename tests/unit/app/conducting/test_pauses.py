"""Pauses grow, up to a bound, and begin anew once it went well."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from arena.app.conducting import pauses
from arena.app.conducting.pauses import Pauses


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were asked for; none of them takes time."""
    asked: list[float] = []
    timeout = asyncio.timeout

    def at_once(seconds: float) -> Any:
        asked.append(seconds)
        return timeout(0)

    monkeypatch.setattr(asyncio, "timeout", at_once)
    return asked


async def test_each_pause_is_twice_as_long_as_the_one_before(waited: list[float]) -> None:
    """Never longer than the longest."""
    each = Pauses()
    for _ in range(8):
        await each.pause()
    assert waited == [1, 2, 4, 8, 16, 32, 60, 60]


async def test_what_went_well_is_not_held_against_it(waited: list[float]) -> None:
    """The next pause is a short one."""
    each = Pauses()
    for _ in range(3):
        await each.pause()
    each.forget()
    await each.pause()
    assert waited == [1, 2, 4, 1]


async def test_a_pause_can_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """By whoever knows that it can go on, as often as one likes."""
    monkeypatch.setattr(pauses, "FIRST", 1000.0)
    each = Pauses()
    for _ in range(3):
        waiting = asyncio.ensure_future(each.pause())
        await asyncio.sleep(0)
        assert not waiting.done()
        each.end()
        async with asyncio.timeout(20):
            await waiting
