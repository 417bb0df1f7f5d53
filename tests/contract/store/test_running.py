"""What a server is to play outlives it, and is asked for once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.store import (
    AlreadyDone,
    NotFound,
    NotScheduled,
    Request,
    RequestReused,
    Store,
    Tournament,
    TournamentOver,
)
from arena.store.testing import make_tournament, new_result, new_tournament


def names(store: Store) -> list[str]:
    """What is to be played, in its order."""
    return [tournament.name for tournament in store.running.wanted()]


def test_what_is_wanted_is_known_after_a_restart(
    store: Store, cup: Tournament, open_store: Callable[[], Store]
) -> None:
    """In the order in which it was asked for, however often."""
    other = make_tournament(store, name="other")
    assert names(store) == []
    assert not store.running.is_wanted(cup.id)
    for tournament in (other, cup, other):
        store.running.want(tournament.id)
    again = open_store()
    assert names(again) == ["other", cup.name]
    assert again.running.is_wanted(cup.id)


def test_what_has_ended_is_not_played_any_more(store: Store, cup: Tournament) -> None:
    """Whether it was played to its end or cancelled; and what was cancelled can't be wanted."""
    other = make_tournament(store, name="other")
    store.running.want(cup.id)
    store.running.want(other.id)
    for match in store.matches(cup.id):
        store.record_result(cup.id, new_result(match), b"replay")
    assert names(store) == ["other"]
    store.running.want(cup.id)
    assert names(store) == ["other"]
    store.cancel(other.id)
    assert names(store) == []
    with pytest.raises(TournamentOver):
        store.running.want(other.id)


def test_a_tournament_without_a_schedule_cant_be_played(store: Store) -> None:
    """Nor can one that isn't there."""
    open_ = store.create_tournament(new_tournament(blocks=0))
    with pytest.raises(NotScheduled):
        store.running.want(open_.id)
    assert names(store) == []
    with pytest.raises(NotFound):
        store.running.want(77)
    with pytest.raises(NotFound):
        store.running.is_wanted(77)


def test_the_same_request_again_changes_nothing(store: Store, cup: Tournament) -> None:
    """It was done; another one under its id is a mistake."""
    request = Request("olga", "r1", "TournamentService/RunTournament", "f1")
    store.running.want(cup.id, request)
    with pytest.raises(AlreadyDone) as done:
        store.running.want(cup.id, request)
    assert done.value.target == cup.name
    with pytest.raises(RequestReused):
        store.running.want(cup.id, Request("olga", "r1", "TournamentService/RunTournament", "f2"))
