"""What a tournament is set up with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.app import tournaments
from arena.app.errors import WrongCall
from arena.app.tournaments import Plan
from arena.store import Store, Tournament
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
