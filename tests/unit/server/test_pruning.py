"""What a server removes once a day, whatever went wrong the day before."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arena.server import pruning
from arena.server.pruning import prune_daily
from arena.server.settings import Settings
from arena.store import Store, StoreLocked


@pytest.mark.parametrize("wrong", [StoreLocked("held"), RuntimeError("a defect")])
async def test_a_day_on_which_it_failed_is_not_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: Exception
) -> None:
    """Neither where the store was held nor where we had not foreseen it."""
    days: list[int] = []
    again = asyncio.Event()

    def prune(*_: object) -> None:
        days.append(len(days))
        if len(days) == 2:
            loop.call_soon_threadsafe(again.set)
        raise wrong

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(pruning, "prune", prune)
    monkeypatch.setattr(pruning, "_DAY", 0.0)
    with Store.open(tmp_path) as store:
        task = asyncio.create_task(prune_daily(store, Settings()))
        async with asyncio.timeout(20):
            await again.wait()
        assert not task.done()
        task.cancel()
    assert days[:2] == [0, 1]
