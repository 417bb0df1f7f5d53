"""Ratings follow from results alone: their order in the schedule, never names or arrival."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from arena.rating import MatchResult, Rating, TrueSkillRater, standings


@st.composite
def matches(draw: st.DrawFn, field: int = 6, most: int = 12) -> list[MatchResult]:
    """Results of a field of ``field``, at tables of two to four, ties included."""
    found = []
    for _ in range(draw(st.integers(1, most))):
        size = draw(st.integers(2, 4))
        entries = draw(st.permutations(range(field)))[:size]
        totals = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
        ranks = tuple(sum(other < total for other in totals) + 1 for total in totals)
        found.append(MatchResult(tuple(entries), ranks, tuple(totals)))
    return found


def turned(result: MatchResult, by: int) -> MatchResult:
    """The same match, told from another seat on."""
    by %= len(result.entries)
    return MatchResult(
        *((*values[by:], *values[:by]) for values in (result.entries, result.ranks, result.points))
    )


@given(matches(), st.integers(1, 3))
def test_the_order_of_the_seats_makes_no_difference(results: list[MatchResult], by: int) -> None:
    """Bit for bit, also with ties."""
    assert standings(results) == standings([turned(result, by) for result in results])


@given(matches())
def test_numbers_of_entries_are_only_names(results: list[MatchResult]) -> None:
    """Other numbers in the same order give the same ratings."""
    renamed = [
        MatchResult(tuple(10 * entry + 3 for entry in result.entries), result.ranks, result.points)
        for result in results
    ]
    there = {standing.entry: standing.rating for standing in standings(renamed)}
    here = {10 * standing.entry + 3: standing.rating for standing in standings(results)}
    assert there == here


@given(matches())
def test_what_is_counted_adds_up(results: list[MatchResult]) -> None:
    """Matches, wins and ranks are those of the results."""
    found = standings(results)
    assert sum(s.matches for s in found) == sum(len(result.entries) for result in results)
    assert sum(s.wins for s in found) == sum(result.ranks.count(1) for result in results)
    assert sum(s.mean_rank * s.matches for s in found) == pytest.approx(
        sum(sum(result.ranks) for result in results)
    )
    assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)


@given(matches())
def test_certainty_grows(results: list[MatchResult]) -> None:
    """Whoever has played is known better than a newcomer, ties or not."""
    new = TrueSkillRater(draw_probability=0).new()
    for standing in standings(results, rater=TrueSkillRater(draw_probability=0)):
        assert standing.sigma < new.sigma


def test_the_ratings_are_those_of_the_package() -> None:
    """Worked out by hand with it: a match of four with a tie, then a match of two."""
    env = trueskill.TrueSkill(draw_probability=0.1, backend=None)
    four = [(env.create_rating(),) for _ in range(4)]
    (a,), (b,), (c,), (d,) = env.rate(four, ranks=[2, 1, 2, 4])
    (a,), (d,) = env.rate([(a,), (d,)], ranks=[2, 1])
    found = standings(
        [
            MatchResult((0, 1, 2, 3), (2, 1, 2, 4), (5, 1, 5, 9)),
            MatchResult((0, 3), (2, 1), (9, 1)),
        ],
        rater=TrueSkillRater(draw_probability=0.1),
    )
    expected = {0: a, 1: b, 2: c, 3: d}
    assert {s.entry: (s.mu, s.sigma) for s in found} == {
        entry: (rating.mu, rating.sigma) for entry, rating in expected.items()
    }


def test_a_tie_leaves_equals_equal() -> None:
    """And makes the pair more certain."""
    found = standings([MatchResult((0, 1), (1, 1), (3, 3))])
    assert found[0].rating == found[1].rating
    assert [standing.rank for standing in found] == [1, 1]


def test_a_winner_rises_and_a_loser_falls() -> None:
    """From the same beginning."""
    winner, loser = standings([MatchResult((7, 4), (1, 2), (0, 9))])
    assert (winner.entry, loser.entry) == (7, 4)
    assert winner.mu > 25 > loser.mu


def test_whoever_has_not_played_stands_with_a_newcomers_rating() -> None:
    """Entries without matches are part of a table."""
    found = standings([], entries=[2, 1])
    assert [(s.entry, s.rank, s.matches, s.mean_rank) for s in found] == [
        (1, 1, 0, 0.0),
        (2, 1, 0, 0.0),
    ]
    assert found[0].rating == Rating(25.0, 25 / 3)
    assert found[0].score == pytest.approx(0)


def test_a_field_of_known_strengths_comes_out_in_order() -> None:
    """Fifty matches of four, the strongest usually first."""
    chance = random.Random(5)
    results = []
    for _ in range(50):
        entries = tuple(chance.sample(range(4), 4))
        played = [4 * entry + chance.gauss(0, 1) for entry in entries]
        ranks = tuple(sum(other > mine for other in played) + 1 for mine in played)
        results.append(MatchResult(entries, ranks, (0, 0, 0, 0)))
    assert [standing.entry for standing in standings(results)] == [3, 2, 1, 0]


@pytest.mark.parametrize("probability", [-0.1, 1.0, 2.0])
def test_a_draw_probability_out_of_bounds_is_refused(probability: float) -> None:
    """With what is allowed."""
    with pytest.raises(ValueError, match="from 0 to below 1"):
        TrueSkillRater(draw_probability=probability)


def test_importing_is_clean_where_every_warning_is_an_error(tmp_path: object) -> None:
    """Also when the package is compiled for the first time."""
    code = "import sys; sys.dont_write_bytecode = True; import arena.rating"
    command = [sys.executable, "-W", "error", "-X", f"pycache_prefix={tmp_path}", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
