"""A match in play as those without scripts are shown it."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from arena.match.spectating import public
from arena.tournament.broadcast import Broadcast
from arena.web import watching
from tests.golden.playthroughs import cases
from tests.unit.web.viewer.playing import whole

LINES = [shown for line in whole(next(cases("claims", 2))) if (shown := public(line))]


async def test_what_there_is_is_told_once_nothing_more_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A match that waits for a move is not waited for; nobody is left watching."""
    monkeypatch.setattr(watching, "_QUIET", 0.05)
    broadcast, orders = Broadcast(), list[bool]()
    broadcast.begin(orders.append)
    told = asyncio.create_task(watching.so_far(broadcast))
    await asyncio.sleep(0)
    broadcast.add(0, LINES[:5])
    assert await told == LINES[:5]
    assert orders == [True, False]


async def test_a_match_that_never_pauses_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Lines that come and come are cut off after a while."""
    monkeypatch.setattr(watching, "_PATIENCE", 0.3)
    broadcast = Broadcast()

    async def play() -> None:
        for at in count():
            broadcast.add(at, [LINES[1]])
            await asyncio.sleep(0.001)

    playing = asyncio.create_task(play())
    assert await watching.so_far(broadcast)
    assert not playing.done()
    playing.cancel()


async def test_a_match_that_has_ended_is_told_whole() -> None:
    """And one that can be followed no more as far as it was."""
    broadcast = Broadcast()
    told = asyncio.create_task(watching.so_far(broadcast))
    await asyncio.sleep(0)
    broadcast.add(0, LINES)
    broadcast.end()
    assert await told == LINES
    cut = Broadcast()
    told = asyncio.create_task(watching.so_far(cut))
    await asyncio.sleep(0)
    cut.add(0, LINES[:3])
    cut.cut()
    assert await told == LINES[:3]
