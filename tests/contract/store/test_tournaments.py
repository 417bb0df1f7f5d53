"""Tournaments: set up once, found again, followed, cancelled, played by one process."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.store import (
    Conflict,
    InvalidRecord,
    MatchKey,
    MatchStatus,
    NameTaken,
    NewMatch,
    NotFound,
    Progress,
    Store,
    Tournament,
    TournamentBusy,
    TournamentOver,
    TournamentState,
)
from arena.store.testing import (
    make_tournament,
    new_matches,
    new_result,
    new_tournament,
    new_version,
)


def test_a_tournament_comes_back_as_it_was_set_up(store: Store) -> None:
    """All fields are kept, the entries by position, and the seed's hash is SHA-256."""
    bots = [store.add_version(new_version(name), b"") for name in ("b", "a")]
    new = new_tournament(
        options={"target": 300, "nested": [1, None, "x"]}, isolation="warm", league="winter"
    )
    made = store.create_tournament(new, bots, new_matches())
    assert store.tournament("cup") == made
    for field in new.__dataclass_fields__.keys() - {"any_league"}:
        assert getattr(made, field) == getattr(new, field)
    assert [(entry.position, entry.version) for entry in made.entries] == list(enumerate(bots))
    assert made.seed_hash == hashlib.sha256(new.seed).hexdigest()


def test_the_secret_seed_does_not_show_when_a_record_is_printed(cup: Tournament) -> None:
    """A log line with a tournament in it gives no deals away."""
    assert repr(cup.seed) not in repr(cup)
    assert repr(cup.seed) not in repr(new_tournament())
    assert cup.seed.hex() not in repr(cup)


def test_a_tournaments_name_is_taken_once(store: Store, cup: Tournament) -> None:
    """A second one of the name is refused and leaves the first as it was."""
    with pytest.raises(NameTaken, match=r"there is a tournament 'cup' already: choose another"):
        make_tournament(store, blocks=9)
    assert store.tournaments() == [cup]
    assert len(store.matches(cup.id)) == 6


def test_tournaments_are_listed_in_the_order_of_their_creation(store: Store) -> None:
    """By game or all of them, each with its own entries."""
    names = {"z": "claims", "a": "claro", "m": "claims"}
    for size, (name, game) in enumerate(names.items(), start=2):
        make_tournament(store, name, size=size, game=game)
    assert [(t.name, len(t.entries)) for t in store.tournaments()] == [("z", 2), ("a", 3), ("m", 4)]
    assert [t.name for t in store.tournaments("claims")] == ["z", "m"]
    assert store.tournaments("claim") == []


def test_a_tournament_that_is_not_there_is_said_with_one_that_is(
    store: Store, cup: Tournament
) -> None:
    """By name and by id."""
    with pytest.raises(NotFound, match=r"there is no tournament 'cop': did you mean 'cup'\?"):
        store.tournament("cop")
    with pytest.raises(NotFound, match=r"no tournament 'zzz': look it up in the list"):
        store.tournament("zzz")
    for method in (
        store.progress,
        store.matches,
        store.pending_matches,
        store.results,
        store.rated_results,
        store.voids,
        store.hole_blocks,
        store.cancel,
    ):
        with pytest.raises(NotFound, match="there is no tournament with the id 99"):
            method(99)


def test_the_schedule_is_in_the_order_of_keys(store: Store) -> None:
    """However the matches are handed in, they come back by block and rotation."""
    bots = [store.add_version(new_version(name), b"") for name in ("a", "b")]
    matches = new_matches(12)
    made = store.create_tournament(new_tournament(), bots, matches[::-1])
    found = store.pending_matches(made.id)
    assert [(m.key, m.id, m.seating) for m in found] == [(m.key, m.id, m.seating) for m in matches]
    assert {(match.status, match.attempts) for match in found} == {(MatchStatus.PENDING, 0)}
    assert store.matches(made.id) == found
    assert store.match(made.id, "m11-1") == found[-1]


def test_two_tournaments_may_have_matches_of_one_id(store: Store, cup: Tournament) -> None:
    """Ids that follow from the seed repeat when a tournament is played again from it."""
    again = make_tournament(store, "again")
    store.record_result(again.id, new_result(new_matches()[0]), b"replay")
    assert store.match(again.id, "m0-0").status is MatchStatus.DONE
    assert store.match(cup.id, "m0-0").status is MatchStatus.PENDING


def _with(*last: NewMatch) -> list[NewMatch]:
    return [*new_matches(), *last]


@pytest.mark.parametrize(
    ("matches", "says"),
    [
        ([], "has no match"),
        (_with(NewMatch(MatchKey(0, 0), "x", (0, 1))), "two matches in one place"),
        (_with(NewMatch(MatchKey(9, 0), "m0-0", (0, 1))), "two matches of one id"),
        (_with(NewMatch(MatchKey(9, 0), "x", (0, 2))), "it takes 2 different entries out of 2"),
        (_with(NewMatch(MatchKey(9, 0), "x", (-1, 0))), "it takes 2 different entries"),
        (_with(NewMatch(MatchKey(9, 0), "x", (1, 1))), "it takes 2 different entries"),
        (_with(NewMatch(MatchKey(9, 0), "x", (1,))), "it takes 2 different entries"),
        (_with(NewMatch(MatchKey(9, 0), "x\n", (0, 1))), "is no match id"),
    ],
)
def test_a_schedule_that_does_not_fit_is_refused(
    store: Store, matches: list[NewMatch], says: str
) -> None:
    """Nothing of the tournament is kept then."""
    bots = [store.add_version(new_version(name), b"") for name in ("a", "b")]
    with pytest.raises(InvalidRecord, match=says):
        store.create_tournament(new_tournament(), bots, matches)
    assert store.tournaments() == []


def test_a_seed_of_another_length_is_refused(store: Store) -> None:
    """RULINGS X6 takes 32 bytes."""
    with pytest.raises(InvalidRecord, match="a tournament's seed is 32 bytes, not 31"):
        make_tournament(store, seed=bytes(31))


@pytest.mark.parametrize("value", [float("nan"), b"bytes", {1, 2}, object()])
def test_options_that_are_no_json_are_refused(store: Store, value: object) -> None:
    """With one line, and without a trace of the tournament."""
    with pytest.raises(InvalidRecord, match="the store can't hold such a value"):
        make_tournament(store, options={"x": value})
    assert store.tournaments() == []


def test_an_entry_of_another_store_is_refused(store: Store, cup: Tournament) -> None:
    """A version that the store doesn't hold can't take part, and the whole is undone."""
    alien = replace(cup.entries[0].version, id=99)
    with pytest.raises(Conflict, match="nothing was changed"):
        store.create_tournament(new_tournament("x"), [alien, alien], new_matches())
    assert store.tournaments() == [cup]


def test_a_tournament_goes_from_created_over_running_to_finished(
    store: Store, cup: Tournament
) -> None:
    """The state follows from its matches alone."""
    seen = [store.progress(cup.id)]
    for match in store.pending_matches(cup.id):
        store.record_result(cup.id, new_result(match), b"replay")
        seen.append(store.progress(cup.id))
    assert seen[0] == Progress(TournamentState.CREATED, matches=6, done=0, holes=0, voids=0)
    assert {progress.state for progress in seen[1:-1]} == {TournamentState.RUNNING}
    assert seen[-1] == Progress(TournamentState.FINISHED, matches=6, done=6, holes=0, voids=0)
    assert [progress.pending for progress in seen] == [6, 5, 4, 3, 2, 1, 0]


def test_a_cancelled_tournament_takes_no_more_results(store: Store, cup: Tournament) -> None:
    """What was recorded stays; nothing is pending any more; cancelling again changes nothing."""
    first, second, *_ = store.pending_matches(cup.id)
    store.record_result(cup.id, new_result(first), b"replay")
    store.cancel(cup.id)
    store.cancel(cup.id)
    assert store.progress(cup.id).state is TournamentState.CANCELLED
    assert store.pending_matches(cup.id) == []
    with pytest.raises(TournamentOver, match="'cup' was cancelled: it takes no more results"):
        store.record_result(cup.id, new_result(second), b"replay")
    with pytest.raises(TournamentOver, match="'cup' was cancelled"):
        store.record_void(cup.id, second.id, 1, reason="STALL", detail="")
    assert [result.match_id for result in store.results(cup.id)] == [first.id]


def test_a_finished_tournament_can_not_be_cancelled(store: Store, cup: Tournament) -> None:
    """It stays finished."""
    for match in store.pending_matches(cup.id):
        store.record_result(cup.id, new_result(match), b"replay")
    with pytest.raises(TournamentOver, match="'cup' has finished: nothing is left to cancel"):
        store.cancel(cup.id)
    assert store.progress(cup.id).state is TournamentState.FINISHED


def test_only_one_may_play_a_tournament(open_store: Callable[[], Store]) -> None:
    """The second one is told which process holds it; the lock is free again afterwards."""
    one, two = open_store(), open_store()
    cup, other = make_tournament(one), make_tournament(one, "other")
    with one.run_lock(cup):
        with (
            pytest.raises(
                TournamentBusy, match=r"'cup' is being played by process \d+ on .*: wait"
            ),
            two.run_lock(cup),
        ):
            pass
        with two.run_lock(other):
            pass
    with two.run_lock(cup):
        pass


def test_what_goes_wrong_while_the_lock_is_held_comes_out_as_it_is(
    store: Store, cup: Tournament
) -> None:
    """The lock doesn't reword the errors of those who hold it, and is free afterwards."""
    with pytest.raises(OSError, match="mine"), store.run_lock(cup):
        raise OSError("mine")
    with store.run_lock(cup):
        pass
