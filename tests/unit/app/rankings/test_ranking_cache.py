"""Rankings for many who look: what they get, when it is made anew, and their history."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from arena.app.rankings import cache as ranking_cache
from arena.app.rankings import growing
from arena.app.rankings.cache import NotReady, RankingCache
from arena.store import NotFound, Store, Tournament, rated
from arena.store.rated import Latest, Rated
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
def cache(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[RankingCache]:
    """One for those who wait until the newer ranking is there."""
    monkeypatch.setattr(ranking_cache, "PATIENCE", 60.0)
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


def test_whoever_has_leeway_is_given_an_older_one_at_once(
    store: Store, cache: RankingCache, clock: Clock
) -> None:
    """And a newer one is made meanwhile; one that is much older is waited for."""
    cup = make_tournament(store)
    play(store, cup, range(1))
    first = cache.ranking("claims")
    play(store, cup, range(1, 2))
    clock.now += ranking_cache.FRESH + 9
    assert cache.ranking("claims", leeway=10) is first
    assert cache.ranking("claims").ranked[0].standing.matches == 4
    play(store, cup, range(2, 3))
    clock.now += ranking_cache.FRESH + 11
    assert cache.ranking("claims", leeway=10).ranked[0].standing.matches == 6


def test_what_takes_long_is_made_once_and_the_older_one_given_meanwhile(
    store: Store, cache: RankingCache, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that nobody waits for it but who comes first."""
    cup = make_tournament(store)
    play(store, cup, range(1))
    first = cache.ranking("claims")
    may_end, calls = threading.Event(), []
    made = cache._rankings.ranking

    def slow(game: str, **asked: Any) -> object:
        calls.append(game)
        assert may_end.wait(60)
        return made(game, **asked)

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

    def slow(game: str, **asked: Any) -> object:
        assert may_end.wait(60)
        return made(game, **asked)

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
    duels = cache.duels(table, "cup")
    assert cache.duels(table, "cup") is duels
    for duel in duels:
        assert duels.between(duel.one, duel.other) == duel
        turned = duels.between(duel.other, duel.one)
        assert turned is not None
        assert turned.versus.won == duel.versus.met - duel.versus.won
    assert [duel.other for duel in duels[:2]] == [row.version for row in table.ranked[1:]]
    assert list(table.duels(table.ranked[0].version.bot)) == [
        replace(duel, versus=replace(duel.versus, p_of_all=own.versus.p_of_all))
        for duel, own in zip(duels[:2], table.duels(table.ranked[0].version.bot), strict=True)
    ]


def test_a_history_ends_where_the_ranking_is(store: Store, cache: RankingCache) -> None:
    """And begins with the first match."""
    cup = make_tournament(store, blocks=5)
    play(store, cup, range(5))
    table = cache.overview(cup).table
    assert [moment.matches for moment in table.moments] == list(range(1, 11))
    for row in table.ranked:
        assert table.moments[-1].rating(row.standing.entry) == row.standing.rating


def test_after_another_start_the_older_one_is_there_at_once(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a file, though what came since takes long; nobody is told to come back later."""
    monkeypatch.setattr(growing, "WORTH_SAVING", 1)
    cup = make_tournament(store, blocks=4)
    play(store, cup, range(2))
    before = RankingCache(store, clock)
    first, overview = before.ranking("claims"), before.overview(cup)
    before.close()
    play(store, cup, range(2, 4))
    after, may_end, read = RankingCache(store, clock), threading.Event(), Rated.latest

    def latest(self: Rated, tournament_id: int, from_block: int = 0) -> Latest:
        assert may_end.wait(60)
        return read(self, tournament_id, from_block)

    monkeypatch.setattr(Rated, "latest", latest)
    after.warm()
    assert after.ranking("claims", first=60) == first
    assert after.overview(cup, first=60).table == overview.table
    may_end.set()
    deadline = time.monotonic() + 60
    while after.ranking("claims").ranked[0].standing.matches < 8:
        assert time.monotonic() < deadline
        clock.now += 100
    after.close()


def test_an_end_waits_for_no_ranking(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in the making is given up between two parts of the schedule."""
    monkeypatch.setattr(rated, "BLOCKS", 1)
    cup = make_tournament(store, blocks=40)
    play(store, cup, range(40))
    cache, begun, read, seen = RankingCache(store), threading.Event(), Rated.latest, []

    def latest(self: Rated, tournament_id: int, from_block: int = 0) -> Latest:
        seen.append(from_block)
        begun.set()
        time.sleep(0.01)
        return read(self, tournament_id, from_block)

    monkeypatch.setattr(Rated, "latest", latest)
    asked = threading.Thread(target=lambda: suppressed(cache))
    asked.start()
    assert begun.wait(60)
    cache.close()
    asked.join(60)
    assert not asked.is_alive()
    assert len(seen) < 40


def suppressed(cache: RankingCache) -> None:
    """Ask for a ranking that is given up."""
    with pytest.raises(NotReady):
        cache.ranking("claims", first=60)


def test_a_process_ends_while_a_ranking_is_made() -> None:
    """Its thread keeps nothing alive."""
    code = """if True:
        import threading
        from arena.app.rankings.background import Background
        begun = threading.Event()
        def work():
            begun.set()
            threading.Event().wait()
        Background("ranking").submit(work)
        begun.wait()
    """
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
