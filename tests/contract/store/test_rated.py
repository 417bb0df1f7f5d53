"""Whether there are new results, and only these, on every kind of database."""

from __future__ import annotations

from arena.app.rankings.results import outcome
from arena.store import MAX_ATTEMPTS, Store, Tournament
from arena.store.rated import Extent, Latest
from arena.store.testing import make_tournament, new_result, new_tournament, replay_of


def test_what_comes_is_counted(store: Store, cup: Tournament) -> None:
    """Results and voids, each tournament by itself; one without any has none."""
    other = make_tournament(store, "other", blocks=1)
    first, second, *_ = store.matches(cup.id)
    store.record_result(cup.id, new_result(first), replay_of(first))
    store.record_void(cup.id, second.id, 1, reason="SANDBOX", detail="died")
    assert store.rated.extents([cup.id, other.id]) == {cup.id: Extent(1, 1), other.id: Extent()}
    assert store.rated.extents([]) == {}


def test_blocks_are_settled_up_to_the_first_with_a_match_to_come(
    store: Store, cup: Tournament
) -> None:
    """Done and given up are settled; what is read begins with any block."""
    assert store.rated.latest(cup.id) == Latest((), 0, end=3, more=False)
    for match in store.matches(cup.id):
        if match.key.block == 1 and not match.key.rotation:
            for attempt in range(1, MAX_ATTEMPTS + 1):
                store.record_void(cup.id, match.id, attempt, reason="SANDBOX", detail="died")
        elif (match.key.block, match.key.rotation) != (2, 1):
            store.record_result(cup.id, new_result(match), replay_of(match))
    found = store.rated.latest(cup.id)
    assert found.settled == 2
    assert list(found.results) == [outcome(one) for one in store.rated_results(cup.id)]
    assert [one.key.block for one in found.results] == [0, 0, 2]
    assert [one.key.block for one in store.rated.latest(cup.id, 1).results] == [2]
    (last,) = store.pending_matches(cup.id)
    store.record_result(cup.id, new_result(last), replay_of(last))
    assert store.rated.latest(cup.id, 2).settled == 3
    assert len(store.rated.latest(cup.id, 2).results) == 2
    assert store.rated.latest(cup.id, 3).results == ()


def test_a_tournament_without_a_schedule_is_settled_from_nothing_on(store: Store) -> None:
    """Whatever is drawn later will be read."""
    cup = store.create_tournament(new_tournament("open", blocks=0))
    assert store.rated.latest(cup.id) == Latest((), 0, end=0, more=False)
