"""Everyone who watches a match sees all of its lines once, whenever they come and go."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from arena.match.replay import Line
from arena.tournament import broadcast as module
from arena.tournament.broadcast import Broadcast, Cut

LINES: list[Line] = [{"type": "pass", "turn": turn} for turn in range(10)]


class Worker:
    """What a worker does when it is told to show a match, at the pace of a test."""

    def __init__(self, match: Broadcast) -> None:
        self.match = match
        self.written = 0
        self.told = 0
        self.showing = False
        self.orders: list[bool] = []
        match.begin(self.order)

    def order(self, wanted: bool) -> None:
        self.orders.append(wanted)
        self.showing = wanted
        if wanted:
            self.match.add(0, LINES[: self.written])
            self.told = self.written

    def write(self, count: int = 1) -> None:
        for _ in range(count):
            self.written += 1
            if self.showing:
                self.match.add(self.told, LINES[self.told : self.written])
                self.told = self.written


async def all_of(match: Broadcast) -> list[Line]:
    async with aclosing(match.watch()) as lines:
        return [line async for line in lines]


async def test_nobody_is_told_anything_before_somebody_watches() -> None:
    """And the worker is told once, however many watch."""
    match = Broadcast()
    worker = Worker(match)
    worker.write(3)
    assert worker.orders == []
    watching = [asyncio.create_task(all_of(match)) for _ in range(3)]
    await asyncio.sleep(0)
    worker.write(7)
    match.end()
    assert await asyncio.gather(*watching) == [LINES] * 3
    assert worker.orders[0] is True
    assert worker.orders.count(True) == 1


async def test_who_comes_before_the_match_is_with_a_worker_sees_it_too() -> None:
    """Watching is asked for as soon as there is one."""
    match = Broadcast()
    watching = asyncio.create_task(all_of(match))
    await asyncio.sleep(0)
    worker = Worker(match)
    worker.write(10)
    match.end()
    assert await watching == LINES


async def test_the_worker_is_told_when_the_last_has_left_and_when_one_comes_again() -> None:
    """What was on its way meanwhile is not shown twice."""
    match = Broadcast()
    worker = Worker(match)
    worker.write(2)
    lines = match.watch()
    assert await anext(lines) == LINES[0]
    await lines.aclose()
    assert worker.orders == [True, False]
    match.add(2, LINES[2:4])
    worker.write(4)
    watching = asyncio.create_task(all_of(match))
    await asyncio.sleep(0)
    match.add(0, LINES[:2])
    worker.write(4)
    match.end()
    assert await watching == LINES


async def test_a_cut_is_said_and_the_match_can_be_watched_again() -> None:
    """From its first line."""
    match = Broadcast()
    worker = Worker(match)
    worker.write(2)
    watching = asyncio.create_task(all_of(match))
    await asyncio.sleep(0)
    match.cut()
    with pytest.raises(Cut):
        await watching
    again = asyncio.create_task(all_of(match))
    await asyncio.sleep(0)
    worker.write(8)
    match.end()
    assert await again == LINES


async def test_who_reads_too_slowly_is_cut_and_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who comes late is behind, too, but was never slow."""
    monkeypatch.setattr(module, "SLOW", 0.05)
    match = Broadcast()
    worker = Worker(match)
    slow = match.watch()
    quick = asyncio.create_task(all_of(match))
    await asyncio.sleep(0)
    worker.write(10)
    assert await anext(slow) == LINES[0]
    await asyncio.sleep(0.1)
    with pytest.raises(Cut):
        await anext(slow)
    late = asyncio.create_task(all_of(match))
    await asyncio.sleep(0)
    match.end()
    assert await quick == await late == LINES
