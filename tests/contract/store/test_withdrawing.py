"""Entries that are withdrawn: which matches are annulled, which blocks are left out."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.app.rankings.ranking import overview
from arena.store import (
    MAX_ATTEMPTS,
    EntriesChanged,
    InvalidRecord,
    MatchAnnulled,
    MatchKey,
    MatchStatus,
    NewMatch,
    NotFound,
    Progress,
    Recorded,
    Store,
    Tournament,
    TournamentState,
)
from arena.store.testing import new_result, new_tournament, new_version, replay_of

BOTS = 12
#: The table of each block: entries 1 and 11 are told apart, and one of them sits with 0.
TABLES = ((0, 1), (2, 11), (1, 10), (0, 11), (2, 3))


def make(store: Store, name: str = "cup", *, until_clear: float | None = None) -> Tournament:
    """A tournament of twelve bots and five blocks, no match played."""
    bots = [store.add_version(new_version(f"bot{at}"), b"") for at in range(BOTS)]
    matches = [
        NewMatch(MatchKey(block, rotation), f"m{block}-{rotation}", seating)
        for block, (one, other) in enumerate(TABLES)
        for rotation, seating in enumerate(((one, other), (other, one)))
    ]
    new = new_tournament(name, blocks=len(TABLES) + 1, until_clear=until_clear)
    return store.create_tournament(new, bots, matches)


@pytest.fixture
def cup(store: Store) -> Tournament:
    return make(store)


def play(store: Store, cup: Tournament, *ids: str) -> None:
    """Play some matches."""
    for id_ in ids:
        match = store.match(cup.id, id_)
        store.record_result(cup.id, new_result(match), replay_of(match))


def statuses(store: Store, cup: Tournament, status: MatchStatus) -> list[str]:
    """The matches that stand so, also as pages and single ones have them."""
    found = [match.id for match in store.matches(cup.id) if match.status is status]
    assert [m.id for m in store.pages.matches(cup.id, most=99, status=status)] == found
    assert all(store.match(cup.id, id_).status is status for id_ in found)
    return found


def test_its_matches_to_come_are_annulled_and_no_others(store: Store, cup: Tournament) -> None:
    """Bot 1 is neither bot 10 nor 11; what was played stays."""
    play(store, cup, "m0-0", "m1-0", "m4-0")
    store.entering.withdraw(cup.id, "bot1", why="it crashes always")
    assert statuses(store, cup, MatchStatus.ANNULLED) == ["m0-1", "m2-0", "m2-1"]
    assert statuses(store, cup, MatchStatus.DONE) == ["m0-0", "m1-0", "m4-0"]
    pending = ["m1-1", "m3-0", "m3-1", "m4-1"]
    assert statuses(store, cup, MatchStatus.PENDING) == pending
    assert [match.id for match in store.pending_matches(cup.id)] == pending
    assert store.progress(cup.id) == Progress(
        TournamentState.RUNNING, 10, done=3, holes=0, voids=0, annulled=3
    )
    assert store.progress(cup.id).pending == 4


def test_it_is_told_with_the_entry(
    store: Store, cup: Tournament, open_store: Callable[[], Store]
) -> None:
    """Since when, why, and how many blocks there were by then."""
    store.entering.withdraw(cup.id, "bot1", why="it crashes always")
    for found in (store.tournament("cup"), open_store().tournaments()[0]):
        one, two = found.entries[1:3]
        assert one.withdrawn is not None
        assert (one.withdrawn_why, one.withdrawn_from) == ("it crashes always", len(TABLES))
        assert not one.annulled
        assert (two.withdrawn, two.withdrawn_why, two.withdrawn_from) == (None, "", None)


def test_a_block_with_an_annulled_match_is_left_out_and_a_whole_one_counts(
    store: Store, cup: Tournament
) -> None:
    """For whoever else is in it, too."""
    play(store, cup, "m0-0", "m0-1", "m2-0", "m4-0", "m4-1")
    store.entering.withdraw(cup.id, "bot1", why="gone")
    assert store.left_out(cup.id) == {2}
    assert store.hole_blocks(cup.id) == frozenset()
    assert {result.key.block for result in store.rated_results(cup.id)} == {0, 4}
    assert {result.key.block for result in store.results(cup.id)} == {0, 2, 4}


def test_annulled_every_block_in_which_it_sits_is_left_out(store: Store, cup: Tournament) -> None:
    """Now or later; once annulled it stays so, and a new reason is told."""
    play(store, cup, "m0-0", "m0-1", "m4-0", "m4-1")
    store.entering.withdraw(cup.id, "bot1", why="gone")
    store.entering.withdraw(cup.id, "bot1", why="another's code", annul=True)
    store.entering.withdraw(cup.id, "bot1", why="copied")
    assert store.left_out(cup.id) == {0, 2}
    assert [result.match_id for result in store.rated_results(cup.id)] == ["m4-0", "m4-1"]
    entry = store.tournament("cup").entries[1]
    assert entry.annulled
    assert entry.withdrawn_why == "copied"


def test_a_hole_stays_a_hole(store: Store, cup: Tournament) -> None:
    """Its block was left out before."""
    for attempt in range(1, MAX_ATTEMPTS + 1):
        store.record_void(cup.id, "m0-0", attempt, reason="x", detail="x")
    store.entering.withdraw(cup.id, "bot1", why="gone")
    at = store.progress(cup.id)
    assert (at.holes, at.annulled, at.pending) == (1, 3, 6)
    assert store.hole_blocks(cup.id) == {0}
    assert store.left_out(cup.id) == {0, 2}
    assert statuses(store, cup, MatchStatus.HOLE) == ["m0-0"]


def test_it_is_finished_when_nothing_else_is_pending(store: Store, cup: Tournament) -> None:
    """By a withdrawal, too."""
    play(store, cup, *(m.id for m in store.matches(cup.id) if m.key.block != 2))
    assert store.progress(cup.id).state is TournamentState.RUNNING
    store.entering.withdraw(cup.id, "bot10", why="gone")
    assert store.progress(cup.id).state is TournamentState.FINISHED
    store.entering.withdraw(cup.id, "bot2", why="found out afterwards", annul=True)
    assert store.progress(cup.id).state is TournamentState.FINISHED
    assert store.left_out(cup.id) == {1, 2, 4}


def test_a_result_that_comes_later_is_not_needed(store: Store, cup: Tournament) -> None:
    """It is refused, a void is nothing, and the same result of a match that is done stays there."""
    play(store, cup, "m0-0")
    store.entering.withdraw(cup.id, "bot1", why="gone")
    with pytest.raises(MatchAnnulled, match="m0-1 is annulled"):
        play(store, cup, "m0-1")
    assert store.record_void(cup.id, "m0-1", 1, reason="x", detail="x") is MatchStatus.ANNULLED
    assert store.progress(cup.id).voids == 0
    match = store.match(cup.id, "m0-0")
    again = store.record_result(cup.id, new_result(match), replay_of(match))
    assert again is Recorded.ALREADY_THERE


def test_replays_of_its_blocks_are_released(store: Store, cup: Tournament) -> None:
    """Nobody will meet these deals any more."""
    play(store, cup, "m0-0", "m4-0")
    assert store.pages.secret_blocks(cup.id) == {0, 1, 2, 3, 4}
    assert not store.is_released(cup.id, "m0-0")
    store.entering.withdraw(cup.id, "bot1", why="gone")
    assert store.is_released(cup.id, "m0-0")
    assert not store.is_released(cup.id, "m4-0")
    assert store.pages.secret_blocks(cup.id) == {1, 3, 4}
    assert store.pages.secret_blocks(cup.id, (2, 3)) == {3}
    store.cancel(cup.id)
    assert store.pages.secret_blocks(cup.id) == frozenset()


def test_who_is_not_there_or_no_reason_is_refused(store: Store, cup: Tournament) -> None:
    """And nothing is changed."""
    with pytest.raises(NotFound, match="bot 'bot99' does not take part"):
        store.entering.withdraw(cup.id, "bot99", why="gone")
    for why in ("", "two\nlines", "x" * 201):
        with pytest.raises(InvalidRecord, match="is no reason that the store can hold"):
            store.entering.withdraw(cup.id, "bot1", why=why)
    assert store.tournament("cup") == cup


def test_of_several_versions_one_is_meant(store: Store) -> None:
    """By its number; the name alone does not say which."""
    bots = [store.add_version(new_version("bot", digest=d * 64), b"") for d in "ab"]
    matches = [NewMatch(MatchKey(0, at), f"m{at}", (at, 1 - at)) for at in (0, 1)]
    cup = store.create_tournament(new_tournament(blocks=1), bots, matches)
    with pytest.raises(InvalidRecord, match="say which: bot:1, bot:2"):
        store.entering.withdraw(cup.id, "bot", why="gone")
    store.entering.withdraw(cup.id, "bot:2", why="gone")
    assert [entry.withdrawn is None for entry in store.tournament("cup").entries] == [True, False]


def test_a_schedule_grows_only_in_view_of_who_is_withdrawn(store: Store) -> None:
    """Blocks that were chosen before a withdrawal are refused: they must be chosen anew."""
    cup = make(store, until_clear=0.95)
    play(store, cup, *(match.id for match in store.matches(cup.id)))
    more = [NewMatch(MatchKey(5, at), f"m5-{at}", ((3, 4), (4, 3))[at]) for at in (0, 1)]
    for annul in (False, True):
        seen = store.tournament("cup").entries
        store.entering.withdraw(cup.id, "bot1", why="gone", annul=annul)
        with pytest.raises(EntriesChanged, match="choose its blocks anew"):
            store.extend_schedule(cup.id, more, seen)
    store.extend_schedule(cup.id, more, store.tournament("cup").entries)
    assert len(store.pending_matches(cup.id)) == 2
    store.entering.withdraw(cup.id, "bot4", why="gone")
    one, four = (store.tournament("cup").entries[at] for at in (1, 4))
    assert (one.withdrawn_from, one.annulled_from, four.withdrawn_from) == (5, 5, 6)


class Withdrawal(NamedTuple):
    """One, of an entry by its position."""

    entry: int
    annul: bool


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    played=st.sets(st.tuples(st.integers(0, len(TABLES) - 1), st.integers(0, 1))),
    gone=st.lists(st.builds(Withdrawal, st.integers(0, BOTS - 1), st.booleans()), max_size=6),
    seed=st.integers(0, 99),
)
def test_the_order_of_withdrawals_changes_nothing_and_only_what_is_said_is_left_out(
    open_store: Callable[[], Store],
    played: set[tuple[int, int]],
    gone: list[Withdrawal],
    seed: int,
) -> None:
    """Ratings are the same to the last bit, as if they had all been withdrawn at once."""
    with open_store() as store:
        shuffled = random.Random(seed).sample(gone, len(gone))
        number = len(store.tournaments())
        found = []
        for at, order in enumerate((gone, shuffled)):
            cup = make(store, f"cup{number + at}")
            play(store, cup, *(f"m{block}-{rotation}" for block, rotation in sorted(played)))
            for withdrawal in order:
                bot = f"bot{withdrawal.entry}"
                store.entering.withdraw(cup.id, bot, why="gone", annul=withdrawal.annul)
            shown = overview(store, cup.name)
            found.append((shown.table.ranked, shown.left_out, shown.progress))
        assert found[0] == found[1]

        withdrawn = {one.entry for one in gone}
        annulled = {one.entry for one in gone if one.annul}
        whole = {block for block in range(len(TABLES)) if {(block, 0), (block, 1)} <= played}
        left_out = {
            block
            for block, table in enumerate(TABLES)
            if annulled & set(table) or (withdrawn & set(table) and block not in whole)
        }
        assert found[0][1] == left_out
        at_last = found[0][2]
        to_come = {
            (block, rotation)
            for block, table in enumerate(TABLES)
            for rotation in (0, 1)
            if withdrawn & set(table) and (block, rotation) not in played
        }
        assert at_last.annulled == len(to_come)
        counted = {result.key.block for result in store.rated_results(cup.id)}
        assert counted == {block for block, _ in played} - left_out


def test_the_tables_of_these_tests_tell_entries_apart() -> None:
    """Some meet none of the others' blocks, and some share one."""
    shared = [one for one, other in combinations(TABLES, 2) if set(one) & set(other)]
    assert 0 < len(shared) < 10
