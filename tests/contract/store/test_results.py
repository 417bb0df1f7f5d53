"""Results and voids: once, whole, in schedule order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.store import (
    InvalidRecord,
    MatchStatus,
    NotFound,
    Progress,
    Recorded,
    ResultConflict,
    SeatFault,
    Store,
    StoredMatch,
    StoredResult,
    Tournament,
    TournamentState,
)
from arena.store.testing import logs_of, make_tournament, new_result, replay_of

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def _record(store: Store, cup: Tournament, match: StoredMatch, **changes: Any) -> Recorded:
    return store.record_result(
        cup.id, new_result(match, **changes), replay_of(match), logs_of(match)
    )


def _spoil(store: Store, cup: Tournament, match: StoredMatch, attempt: int) -> MatchStatus:
    return store.record_void(cup.id, match.id, attempt, reason="STALL", detail="the host stood")


def test_a_result_comes_back_as_it_was_handed_in(store: Store, cup: Tournament) -> None:
    """All facts, every seat's faults and outcome, the replay and the logs."""
    match = store.pending_matches(cup.id)[1]
    new = new_result(match)
    assert _record(store, cup, match) is Recorded.NEW
    found = store.result(cup.id, match.id)
    assert (found.match_id, found.key) == (match.id, match.key)
    assert (found.reason, found.rounds, found.turns) == ("target", 7, 160)
    assert (found.replay_digest, found.measured) == (new.replay_digest, {"seconds": 0.25})
    assert [replace(seat, log=None) for seat in found.seats] == list(new.seats)
    assert store.blob(found.replay) == replay_of(match)
    logs = [seat.log for seat in found.seats if seat.log is not None]
    assert [store.blob(log) for log in logs] == list(logs_of(match).values())
    assert store.results(cup.id) == [found]


def test_a_seat_without_a_log_has_none(store: Store, cup: Tournament) -> None:
    """An empty log is none; so is one that was not handed in."""
    first, second, *_ = store.pending_matches(cup.id)
    store.record_result(cup.id, new_result(first), b"replay", {0: b"", 1: b"words"})
    store.record_result(cup.id, new_result(second), b"replay")
    logs = [[seat.log is None for seat in result.seats] for result in store.results(cup.id)]
    assert logs == [[True, False], [True, True]]


def test_times_are_utc(store: Store, cup: Tournament) -> None:
    """Whatever the machine's zone is."""
    match = store.pending_matches(cup.id)[0]
    _record(store, cup, match)
    for at in (store.results(cup.id)[0].recorded_at, cup.created):
        assert at.tzinfo is UTC
        assert abs(datetime.now(UTC) - at) < timedelta(minutes=5)


def test_the_same_result_twice_changes_nothing(store: Store, cup: Tournament) -> None:
    """The first delivery stays in every detail; what was measured again doesn't matter."""
    match = store.pending_matches(cup.id)[0]
    _record(store, cup, match)
    before = store.results(cup.id)
    assert _record(store, cup, match) is Recorded.ALREADY_THERE
    assert _record(store, cup, match, measured={"seconds": 9}) is Recorded.ALREADY_THERE
    slower = tuple(
        replace(seat, charged_ms=99.0, peak_memory=None, luck=None, detail="other words")
        for seat in new_result(match).seats
    )
    assert _record(store, cup, match, seats=slower) is Recorded.ALREADY_THERE
    assert store.results(cup.id) == before


@pytest.mark.parametrize(
    ("of_match", "of_winner"),
    [
        ({"replay_digest": "other"}, {}),
        ({"reason": "max_rounds"}, {}),
        ({"rounds": 8}, {}),
        ({"turns": 161}, {}),
        ({}, {"rank": 2}),
        ({}, {"total": 1}),
        ({}, {"faults": (SeatFault(9, 9, "ILLEGAL"),)}),
        ({}, {"outcome": "CRASHED"}),
    ],
)
def test_a_different_result_for_a_match_that_is_done_is_refused(
    store: Store, cup: Tournament, of_match: dict[str, Any], of_winner: dict[str, Any]
) -> None:
    """Loudly, and the first one stays."""
    match = store.pending_matches(cup.id)[0]
    _record(store, cup, match)
    before = store.results(cup.id)
    winner, loser = new_result(match).seats
    with pytest.raises(ResultConflict, match=r"m0-0 of tournament 'cup' was played twice with dif"):
        _record(store, cup, match, **of_match, seats=(replace(winner, **of_winner), loser))
    assert store.results(cup.id) == before


def test_a_result_must_seat_those_who_were_to_play(store: Store, cup: Tournament) -> None:
    """Swapped, missing and additional seats are refused, and nothing is recorded."""
    match = store.pending_matches(cup.id)[0]
    one, two = new_result(match).seats
    for seats in ((two, one), (one,), (one, two, two), (replace(one, entry=1), two)):
        with pytest.raises(InvalidRecord, match=r"match m0-0 seats entries .* were to play"):
            _record(store, cup, match, seats=seats)
    assert store.progress(cup.id).done == 0


def test_a_log_of_a_seat_that_is_not_there_is_refused(store: Store, cup: Tournament) -> None:
    """Nothing that was handed in is dropped in silence."""
    match = store.pending_matches(cup.id)[0]
    with pytest.raises(InvalidRecord, match="m0-0 has no seat 2, but a log of it"):
        store.record_result(cup.id, new_result(match), b"replay", {2: b"log"})
    assert store.progress(cup.id).done == 0


def test_an_unknown_match_is_not_found(store: Store, cup: Tournament) -> None:
    """By whatever method it is asked for; a match without a result says where it stands."""
    alien = replace(store.matches(cup.id)[0], id="alien")
    for ask in (
        lambda: _record(store, cup, alien),
        lambda: _spoil(store, cup, alien, 1),
        lambda: store.match(cup.id, "alien"),
        lambda: store.result(cup.id, "alien"),
        lambda: store.is_released(cup.id, "alien"),
    ):
        with pytest.raises(NotFound, match="tournament 'cup' has no match 'alien'"):
            ask()
    with pytest.raises(NotFound, match="match m0-0 has no result: it is pending"):
        store.result(cup.id, "m0-0")


def test_a_void_match_is_played_again(store: Store, cup: Tournament) -> None:
    """It stays pending with its attempts counted, and its result counts in the end."""
    match = store.pending_matches(cup.id)[0]
    assert _spoil(store, cup, match, 1) is MatchStatus.PENDING
    assert store.pending_matches(cup.id)[0] == replace(match, attempts=1)
    assert store.progress(cup.id) == Progress(TournamentState.RUNNING, 6, done=0, holes=0, voids=1)
    assert _spoil(store, cup, match, 2) is MatchStatus.PENDING
    _record(store, cup, match)
    assert store.match(cup.id, match.id).attempts == 3
    assert store.match(cup.id, match.id).status is MatchStatus.DONE
    assert store.hole_blocks(cup.id) == frozenset()
    assert len(store.rated_results(cup.id)) == 1


def test_the_third_void_makes_a_hole_and_its_block_does_not_count(
    store: Store, cup: Tournament
) -> None:
    """The hole is pending no more; the block's other results stay, but aren't rated."""
    for match in store.pending_matches(cup.id):
        if match.id == "m1-0":
            stages = [_spoil(store, cup, match, attempt) for attempt in (1, 2, 3)]
        else:
            _record(store, cup, match)
    assert stages == [MatchStatus.PENDING, MatchStatus.PENDING, MatchStatus.HOLE]
    assert store.match(cup.id, "m1-0").status is MatchStatus.HOLE
    assert store.pending_matches(cup.id) == []
    assert store.hole_blocks(cup.id) == {1}
    assert store.progress(cup.id) == Progress(TournamentState.FINISHED, 6, done=5, holes=1, voids=3)
    assert "m1-1" in [result.match_id for result in store.results(cup.id)]
    assert {result.key.block for result in store.rated_results(cup.id)} == {0, 2}
    with pytest.raises(NotFound, match="match m1-0 has no result: it is hole"):
        store.result(cup.id, "m1-0")


def test_a_late_result_does_not_fill_a_hole(store: Store, cup: Tournament) -> None:
    """Else the rating would depend on when it came."""
    match = store.pending_matches(cup.id)[0]
    for attempt in (1, 2, 3):
        _spoil(store, cup, match, attempt)
    with pytest.raises(ResultConflict, match="m0-0 was void 3 times and given up"):
        _record(store, cup, match)
    assert store.match(cup.id, match.id).status is MatchStatus.HOLE


def test_the_same_void_twice_counts_once(store: Store, cup: Tournament) -> None:
    """So does one for a match that is done since; one that leaves out an attempt is refused."""
    match, other, *_ = store.pending_matches(cup.id)
    for _ in range(3):
        assert _spoil(store, cup, match, 1) is MatchStatus.PENDING
    for attempt in (0, -1, 3):
        with pytest.raises(InvalidRecord, match=rf"attempt {attempt} at match m0-0 can't be void"):
            _spoil(store, cup, match, attempt)
    _record(store, cup, other)
    assert _spoil(store, cup, other, 1) is MatchStatus.DONE
    assert store.progress(cup.id).voids == 1


def test_voids_are_listed_with_their_reasons(store: Store, cup: Tournament) -> None:
    """In schedule order, then by attempt."""
    first, second, *_ = store.pending_matches(cup.id)
    for match, attempt in ((second, 1), (first, 1), (second, 2)):
        _spoil(store, cup, match, attempt)
    found = [(void.match_id, void.attempt) for void in store.voids(cup.id)]
    assert found == [("m0-0", 1), ("m0-1", 1), ("m0-1", 2)]
    assert {(void.reason, void.detail) for void in store.voids(cup.id)} == {
        ("STALL", "the host stood")
    }


def test_a_replay_is_released_when_its_block_has_ended(store: Store, cup: Tournament) -> None:
    """A block ends when none of its matches is pending: each is done or a hole."""
    first, second, other, *_ = store.pending_matches(cup.id)
    _record(store, cup, first)
    _record(store, cup, other)
    assert not store.is_released(cup.id, first.id)
    for attempt in (1, 2, 3):
        _spoil(store, cup, second, attempt)
    assert store.is_released(cup.id, first.id)
    assert not store.is_released(cup.id, other.id)


def test_cancelling_releases_all_replays(store: Store, cup: Tournament) -> None:
    """Their deals will never be met again."""
    match = store.pending_matches(cup.id)[0]
    _record(store, cup, match)
    store.cancel(cup.id)
    assert store.is_released(cup.id, match.id)


def test_results_of_a_game_come_from_all_its_tournaments(store: Store) -> None:
    """In the order of creation, each in schedule order, without the blocks that don't count."""
    cups = [
        make_tournament(store, name, game=game)
        for name, game in (("z", "claims"), ("y", "claro"), ("a", "claims"))
    ]
    for cup in reversed(cups):
        for match in reversed(store.pending_matches(cup.id)):
            if cup.name == "a" and match.id == "m0-1":
                for attempt in (1, 2, 3):
                    _spoil(store, cup, match, attempt)
            else:
                _record(store, cup, match)
    found = [(t.name, [r.match_id for r in results]) for t, results in store.game_results("claims")]
    assert found == [
        ("z", ["m0-0", "m0-1", "m1-0", "m1-1", "m2-0", "m2-1"]),
        ("a", ["m1-0", "m1-1", "m2-0", "m2-1"]),
    ]
    assert store.game_results("claim") == []


def _facts(results: list[StoredResult]) -> list[StoredResult]:
    """Results without what may differ between two runs."""
    return [replace(result, recorded_at=LONG_AGO, measured={}) for result in results]


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(order=st.lists(st.integers(0, 5), max_size=12).map(lambda some: [*some, *range(6)]))
def test_the_order_of_arrival_does_not_show(
    open_store: Callable[[], Store], order: list[int]
) -> None:
    """However often and in whatever order results come in, the tournament is the same."""
    with open_store() as store:
        names = [tournament.name for tournament in store.tournaments()]
        cup = make_tournament(store, f"cup{len(names)}")
        expected = make_tournament(store, f"expected{len(names)}")
        for match in store.matches(expected.id):
            _record(store, expected, match)
        matches = store.matches(cup.id)
        for position, index in enumerate(order):
            outcome = _record(store, cup, matches[index])
            assert (outcome is Recorded.NEW) == (index not in order[:position])
            assert store.progress(cup.id).done == len(set(order[: position + 1]))
        assert [result.key for result in store.results(cup.id)] == [m.key for m in matches]
        assert _facts(store.results(cup.id)) == _facts(store.results(expected.id))
