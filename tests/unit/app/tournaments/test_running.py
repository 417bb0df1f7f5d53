"""How a tournament is played on."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from arena.app.rankings.waves import Growth
from arena.app.tournaments import running
from arena.app.tournaments.running import Prepared, Run
from arena.store import Progress, TournamentState
from arena.store.errors import LeaseLost
from arena.store.lease import Lease


class Seen(Exception):
    """As many workers are to be started; that is all that the test wants to know."""


class Executor:
    """Tells how many workers it should start."""

    def __init__(self, *_: object, workers: int, log: object) -> None:
        raise Seen(workers)


@pytest.mark.parametrize(("grows", "started"), [(False, 1), (True, 8)])
def test_only_a_fixed_schedule_needs_no_more_workers_than_it_has_matches_left(
    monkeypatch: pytest.MonkeyPatch, grows: bool, started: int
) -> None:
    """An adaptive one that was stopped before the last match of a wave grows by another."""
    monkeypatch.setattr(running, "LocalExecutor", Executor)
    nothing = cast("Any", None)
    growth = cast("Growth", object()) if grows else None
    before = Progress(TournamentState.RUNNING, matches=4, done=3, holes=0, voids=0)
    run = Run(Prepared(nothing, nothing, nothing, nothing, before, (), growth), nothing)
    with pytest.raises(Seen) as seen:
        asyncio.run(run.play(workers=8))
    assert seen.value.args == (started,)


async def test_a_tournament_that_is_no_longer_ours_is_not_played_on() -> None:
    """Its database's lock is lost, so another one may play it: what is in play is cut off."""
    nothing = cast("Any", None)
    lease = Lease("tournament 'cup'")
    cut = asyncio.Event()

    class Playing(Prepared):
        async def _play(self, *_: object) -> Progress:
            try:
                await asyncio.Event().wait()
            finally:
                cut.set()
            raise AssertionError

    before = Progress(TournamentState.RUNNING, matches=4, done=3, holes=0, voids=0)
    it = Playing(nothing, nothing, lease, nothing, before, (), None)
    playing = asyncio.create_task(it.play(nothing))
    await asyncio.sleep(0)
    await asyncio.to_thread(lease.lose, ConnectionError("gone"))
    with pytest.raises(LeaseLost):
        await playing
    assert cut.is_set()
