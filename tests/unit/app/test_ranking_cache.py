"""Rankings for many who look: what they get, when it is made anew, and their history."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from arena.app import ranking_cache
from arena.app.ranking_cache import NotReady, RankingCache
from arena.store import NotFound, Store, Tournament
from arena.store.testing import make_tournament, new_result, replay_of


class Clock:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(store: Store, clock: Clock) -> Iterator[RankingCache]:
    made = RankingCache(store, clock)
    yield made
    made.close()


def play(store: Store, tournament: Tournament, blocks: range) -> None:
    """Record that seat 0 won, in these blocks."""
    for match in store.matches(tournament.id):
        if match.key.block in blocks:
            store.record_result(tournament.id, new_result(match), replay_of(match))


def test_a_fresh_ranking_is_given_again(store: Store, cache: RankingCache, clock: Clock) -> None:
    """Though there are new results; a moment later they are in it."""
    cup = make_tournament(store)
    play(store, cup, range(1))
    first = cache.ranking("claims")
    play(store, cup, range(1, 2))
    assert cache.ranking("claims") is first
    clock.now += ranking_cache.FRESH
    assert cache.ranking("claims").ranked[0].standing.matches == 4


def test_what_takes_long_is_made_once_and_the_older_one_given_meanwhile(
    store: Store, cache: RankingCache, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that nobody waits for it but who comes first."""
    cup = make_tournament(store)
    play(store, cup, range(1))
    first = cache.ranking("claims")
    may_end, calls = threading.Event(), []
    made = cache._rankings.ranking

    def slow(game: str, *, public: bool) -> object:
        calls.append(game)
        assert may_end.wait(60)
        return made(game, public=public)

    monkeypatch.setattr(cache._rankings, "ranking", slow)
    monkeypatch.setattr(ranking_cache, "PATIENCE", 0.01)
    play(store, cup, range(1, 2))
    clock.now += ranking_cache.FRESH
    assert cache.ranking("claims") is first
    assert cache.ranking("claims") is first
    may_end.set()
    monkeypatch.setattr(ranking_cache, "PATIENCE", 60)
    assert cache.ranking("claims").ranked[0].standing.matches == 4
    assert calls == ["claims"]


def test_nobody_waits_for_ever_for_the_first_one(
    store: Store, cache: RankingCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said so, and the ranking is there later."""
    may_end, made = threading.Event(), cache._rankings.ranking

    def slow(game: str, *, public: bool) -> object:
        assert may_end.wait(60)
        return made(game, public=public)

    monkeypatch.setattr(cache._rankings, "ranking", slow)
    with pytest.raises(NotReady, match="again in a minute"):
        cache.ranking("claims", first=0.01)
    may_end.set()
    assert cache.ranking("claims", first=60).ranked == ()


def test_what_goes_wrong_is_raised_and_tried_again(store: Store, cache: RankingCache) -> None:
    """A tournament that isn't there may be there the next time."""
    with pytest.raises(NotFound):
        cache.tournament("cup")
    make_tournament(store)
    assert cache.tournament("cup").name == "cup"


def test_a_tournament_that_changed_is_looked_at_anew(store: Store, cache: RankingCache) -> None:
    """Once somebody says so."""
    cup = make_tournament(store)
    assert cache.tournament("cup").entries[0].withdrawn is None
    store.entering.withdraw(cup.id, "bot0", why="x")
    cache.forget(cup)
    assert cache.tournament("cup").entries[0].withdrawn is not None


def test_duels_are_those_of_the_ranking_from_either_side(store: Store, cache: RankingCache) -> None:
    """And worked out once for one ranking."""
    cup = make_tournament(store, size=3, blocks=4)
    play(store, cup, range(4))
    table = cache.overview(cup).table
    duels = cache.duels(table)
    assert cache.duels(table) is duels
    for duel in duels.all:
        assert duels.between(duel.one, duel.other) == duel
        turned = duels.between(duel.other, duel.one)
        assert turned is not None
        assert turned.versus.won == duel.versus.met - duel.versus.won
    assert len(duels.of(table.ranked[0].version)) == 2


def test_a_history_ends_where_the_ranking_is(store: Store, cache: RankingCache) -> None:
    """And begins with the first match."""
    cup = make_tournament(store, blocks=5)
    play(store, cup, range(5))
    table = cache.overview(cup).table
    assert [moment.matches for moment in table.moments] == list(range(1, 11))
    for row in table.ranked:
        assert table.moments[-1].rating(row.standing.entry) == row.standing.rating
