"""``arena prune``: what the settings say is removed, after it was counted."""

import os
from contextlib import closing

import pytest

from arena.store import Store
from arena.store.testing import make_tournament, new_result, replay_of
from tests.integration.cli.arenas import Arena


@pytest.fixture
def old(arena: Arena) -> Arena:
    """An arena with a cancelled tournament, and a file of a writer that died."""
    with closing(Store.open(arena.home)) as store:
        cup = make_tournament(store)
        match = store.pending_matches(cup.id)[0]
        store.record_result(cup.id, new_result(match), replay_of(match))
        store.cancel(cup.id)
        left = store._blobs.path(store._keep([b"left behind"])[0])
    os.utime(left, (0, 0))
    return arena


def test_it_counts_first_and_then_removes(old: Arena) -> None:
    """Results of today stay; without a container engine, images are not looked at."""
    counted = old.json("prune", "--dry-run")
    assert {name: counted[name] for name in ("blobs", "unnamed", "images")} == {
        "blobs": 0,
        "unnamed": 1,
        "images": 0,
    }
    assert "doesn't answer" in counted["trouble"]
    assert "1 files of writers that died" in old("prune")
    assert "doesn't answer" in old.err
    assert old.json("prune")["unnamed"] == 0
