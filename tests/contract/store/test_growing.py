"""A schedule that grows with its results: each block once, in its place, and an end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.store import (
    MAX_ATTEMPTS,
    Conflict,
    InvalidRecord,
    MatchKey,
    NewMatch,
    NotFound,
    Store,
    Tournament,
    TournamentOver,
    TournamentState,
)
from arena.store.testing import (
    make_tournament,
    new_matches,
    new_result,
    new_tournament,
    new_version,
    replay_of,
)


@pytest.fixture
def cup(store: Store) -> Tournament:
    """A tournament of two that has one block so far, and may have three."""
    bots = [store.add_version(new_version(name), b"") for name in ("a", "b")]
    new = new_tournament(blocks=3, until_clear=0.95)
    return store.create_tournament(new, bots, new_matches(blocks=1))


def block(number: int) -> list[NewMatch]:
    """The matches of one block."""
    return [match for match in new_matches(blocks=number + 1) if match.key.block == number]


def play(store: Store, cup: Tournament) -> None:
    """Play all that is pending."""
    for match in store.pending_matches(cup.id):
        store.record_result(cup.id, new_result(match), replay_of(match))


def test_how_clear_its_order_must_be_is_kept(
    store: Store, cup: Tournament, open_store: Callable[[], Store]
) -> None:
    """And another tournament has nothing of the kind."""
    other = make_tournament(store, "other")
    assert (cup.until_clear, other.until_clear) == (0.95, None)
    assert [found.until_clear for found in open_store().tournaments()] == [0.95, None]
    assert open_store().tournament("cup") == cup


def test_it_grows_and_is_finished_when_its_schedule_has_ended(
    store: Store, cup: Tournament
) -> None:
    """Not when all matches so far have been played: its seed must stay secret."""
    assert store.progress(cup.id).state is TournamentState.CREATED
    play(store, cup)
    assert store.progress(cup.id).state is TournamentState.RUNNING
    assert store.progress(cup.id).pending == 0
    store.extend_schedule(cup.id, block(1))
    assert [match.id for match in store.pending_matches(cup.id)] == ["m1-0", "m1-1"]
    play(store, cup)
    assert store.progress(cup.id).state is TournamentState.RUNNING
    store.end_schedule(cup.id)
    assert store.progress(cup.id).state is TournamentState.FINISHED
    assert store.progress(cup.id).matches == 4


def test_an_end_stays(store: Store, cup: Tournament) -> None:
    """Ended twice it has ended, and it takes no more blocks."""
    play(store, cup)
    store.end_schedule(cup.id)
    store.end_schedule(cup.id)
    with pytest.raises(InvalidRecord, match="the schedule of tournament 'cup' has ended"):
        store.extend_schedule(cup.id, block(1))


def test_matches_are_played_before_others_are_added(store: Store, cup: Tournament) -> None:
    """What comes next must not depend on a part of them; one that was given up has ended."""
    first, second = store.pending_matches(cup.id)
    store.record_result(cup.id, new_result(first), replay_of(first))
    with pytest.raises(InvalidRecord, match="no new blocks before the 1 matches"):
        store.extend_schedule(cup.id, block(1))
    for attempt in range(1, MAX_ATTEMPTS + 1):
        store.record_void(cup.id, second.id, attempt, reason="x", detail="x")
    store.extend_schedule(cup.id, block(1))
    assert store.progress(cup.id).pending == 2


def test_a_block_is_added_once(store: Store, cup: Tournament) -> None:
    """Whoever adds it again is told where the schedule goes on, and nothing is changed."""
    play(store, cup)
    store.extend_schedule(cup.id, block(1))
    play(store, cup)
    with pytest.raises(InvalidRecord, match="goes on with whole blocks from 2 on"):
        store.extend_schedule(cup.id, block(1))
    assert len(store.matches(cup.id)) == 4


@pytest.mark.parametrize(
    ("matches", "says"),
    [
        ([], "whole blocks from 1 on"),
        (block(1)[:1], "whole blocks from 1 on"),
        (block(2), "whole blocks from 1 on"),
        ([*block(1), *block(3)], "whole blocks from 1 on"),
        (block(1)[::-1], "whole blocks from 1 on"),
        ([*block(1), *block(2), *block(3)], "has 3 blocks at most"),
        ([replace(match, seating=(0, 2)) for match in block(1)], r"seats \[0, 2\]"),
        ([replace(match, id="same") for match in block(1)], "two matches of one id"),
        ([replace(match, key=MatchKey(1, 0)) for match in block(1)], "in one place"),
    ],
    ids=["none", "part", "later", "gap", "order", "too many", "strangers", "id", "place"],
)
def test_what_does_not_come_next_is_refused(
    store: Store, cup: Tournament, matches: list[NewMatch], says: str
) -> None:
    """And nothing of it is kept."""
    play(store, cup)
    with pytest.raises(InvalidRecord, match=says):
        store.extend_schedule(cup.id, matches)
    assert len(store.matches(cup.id)) == 2
    assert store.progress(cup.id).pending == 0


def test_a_match_id_that_is_taken_adds_nothing(store: Store, cup: Tournament) -> None:
    """Not even the other match."""
    play(store, cup)
    first, second = block(1)
    with pytest.raises(Conflict):
        store.extend_schedule(cup.id, [first, replace(second, id="m0-0")])
    assert len(store.matches(cup.id)) == 2


def test_a_schedule_that_was_whole_from_the_start_does_not_grow(store: Store) -> None:
    other = make_tournament(store, "other")
    play(store, other)
    with pytest.raises(InvalidRecord, match="'other' does not grow"):
        store.extend_schedule(other.id, block(3))
    with pytest.raises(InvalidRecord, match="'other' does not grow"):
        store.end_schedule(other.id)


def test_a_cancelled_tournament_grows_no_more(store: Store, cup: Tournament) -> None:
    play(store, cup)
    store.cancel(cup.id)
    with pytest.raises(TournamentOver, match="cancelled"):
        store.extend_schedule(cup.id, block(1))
    assert store.progress(cup.id).state is TournamentState.CANCELLED


def test_one_that_does_not_exist_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound, match="no tournament with the id 99"):
        store.extend_schedule(99, block(1))
    with pytest.raises(NotFound, match="no tournament with the id 99"):
        store.end_schedule(99)


@pytest.mark.parametrize("until_clear", [0.0, 1.0, -0.5, 95.0, float("nan")])
def test_a_probability_that_is_none_is_refused(store: Store, until_clear: float) -> None:
    bots = [store.add_version(new_version(name), b"") for name in ("a", "b")]
    with pytest.raises(InvalidRecord, match="a probability is between 0 and 1"):
        store.create_tournament(new_tournament(until_clear=until_clear), bots, new_matches())
    assert store.tournaments() == []
