"""How a tournament is played on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from arena.app import tournaments
from arena.app.errors import WrongCall
from arena.app.tournaments import Plan, Run
from arena.app.waves import Growth
from arena.store import Progress, Store, Tournament, TournamentState
from arena.tournament.job import Isolation, Lodging


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with Store.open(tmp_path) as opened:
        yield opened


def _plan(**changes: Any) -> Plan:
    wanted: dict[str, Any] = {"name": "cup", "game": "claims", "seed": bytes(32), "trusted": True}
    return Plan(**{**wanted, **changes})


def _created(store: Store, wanted: Plan) -> Tournament:
    return tournaments.create(store, wanted, ["random", "greedy"]).tournament


def test_without_containers_the_record_claims_nothing_that_needs_them(store: Store) -> None:
    """A process can't be held still; in a container it can."""
    process = _created(store, _plan(name="a", lodging=Lodging.PROCESS))
    assert process.ponder == "measure"
    assert _created(store, _plan(name="b")).ponder == "freeze"
    with pytest.raises(WrongCall, match="no containers"):
        _created(store, _plan(lodging=Lodging.PROCESS, isolation=Isolation.CONTAINER))


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
    monkeypatch.setattr(tournaments, "LocalExecutor", Executor)
    nothing = cast("Any", None)
    growth = cast("Growth", object()) if grows else None
    before = Progress(TournamentState.RUNNING, matches=4, done=3, holes=0, voids=0)
    run = Run(nothing, nothing, before, (), nothing, nothing, growth)
    with pytest.raises(Seen) as seen:
        asyncio.run(run.play(workers=8))
    assert seen.value.args == (started,)
