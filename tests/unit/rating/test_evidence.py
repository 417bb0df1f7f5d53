"""Fortunes: fair games where nobody is better, whatever is played and however often one looks."""

import math
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating import MatchResult, RatingError
from arena.rating.evidence import Evidence, Fortune
from arena.schedule import Block


def match(
    block: int, rotation: int, entries: tuple[int, ...], ranks: tuple[int, ...]
) -> MatchResult:
    nothing = (0,) * len(entries)
    return MatchResult((block, rotation), entries, ranks, nothing, nothing)


def test_a_difference_is_that_of_the_shares_of_opponents_beaten() -> None:
    """Over all matches of the block; a tie is half; 0.816 at a table of three counts as all."""
    evidence = Evidence(4)
    evidence.add(
        [
            match(0, 0, (3, 1, 2), (1, 2, 2)),
            match(0, 1, (2, 3, 1), (3, 1, 2)),
            match(0, 2, (1, 2, 3), (1, 1, 1)),
        ]
    )
    # Beaten of 6: 3 has 2 + 2 + 1, 1 has 1/2 + 1 + 1, 2 has 1/2 + 0 + 1.
    large = math.sqrt(4 / 6)
    assert evidence.pairs[1, 2].total == pytest.approx(1 / 6 / large)
    assert evidence.pairs[1, 3].total == pytest.approx(-2.5 / 6 / large)
    assert evidence.pairs[2, 3].squares == pytest.approx((3.5 / 6 / large) ** 2)
    assert {pair.blocks for pair in evidence.pairs.values()} == {1}
    assert evidence.pairs.keys() == {(1, 2), (1, 3), (2, 3)}


def test_to_win_all_is_a_difference_of_one() -> None:
    """So a fortune that risks less than all is never lost."""
    evidence = Evidence(2)
    evidence.add([match(0, 0, (0, 1), (1, 2)), match(0, 1, (1, 0), (2, 1))])
    assert evidence.pairs[0, 1].total == 1
    assert evidence.pairs[0, 1].other.now > 0


def test_no_difference_counts_more_than_a_large_one() -> None:
    """So bets can be bold at large tables, where differences are small."""
    evidence = Evidence(4)
    seatings = Block(0, (0, 1, 2, 3)).seatings()
    # 0 wins every match, 3 is always last, and the others share the rest.
    ranks = {0: 1, 1: 2, 2: 2, 3: 4}
    evidence.add(
        match(0, at, entries, tuple(ranks[entry] for entry in entries))
        for at, entries in enumerate(seatings)
    )
    large = 2 * math.sqrt(5 / 6) / 3
    assert evidence.pairs[0, 3].total == 1
    assert evidence.pairs[0, 1].total == pytest.approx(0.5 / large)
    assert evidence.pairs[1, 2].total == 0


@pytest.mark.parametrize("size", range(2, 9))
def test_a_large_difference_is_twice_the_usual_one_among_equals(size: int) -> None:
    """Counted from all ways in which two can be ranked in a match; at a table of two it is 1."""
    shares = [(one - other) / (size - 1) for one, other in permutations(range(size), 2)]
    usual = math.sqrt(sum(share**2 for share in shares) / len(shares) / size)
    evidence = Evidence(size)
    entries = tuple(range(size))
    ranks = tuple(range(1, size + 1))
    evidence.add(match(0, at, entries, ranks) for at in range(size))
    expected = min(1.0, 1 / (size - 1) / min(1.0, 2 * usual))
    assert evidence.pairs[0, 1].total == pytest.approx(expected)


@pytest.mark.parametrize(
    "matches",
    [
        [match(7, 0, (0, 1), (1, 2))],
        [match(7, 0, (0, 1), (1, 2)), match(7, 1, (2, 0), (1, 2))],
        [match(7, rotation, (0, 1), (1, 2)) for rotation in range(3)],
    ],
    ids=["one missing", "another entry", "one too many"],
)
def test_a_block_that_is_not_whole_is_refused(matches: list[MatchResult]) -> None:
    """Its sum would not be a fair comparison."""
    with pytest.raises(RatingError, match=r"block \(7,\) is not complete"):
        Evidence(3).add(matches)


@pytest.mark.parametrize("length", [1, 4, 8])
def test_betting_on_an_equal_one_leaves_the_stake_on_average(length: int) -> None:
    """Exactly, over all courses that a fair game can take."""
    fortunes = []
    for course in product((-1, 1), repeat=length):
        fortune = Fortune()
        for difference in course:
            fortune.bet(difference)
        fortunes.append(fortune.now)
    assert sum(map(Fraction, fortunes)) / len(fortunes) == pytest.approx(1)


@given(st.lists(st.floats(-1, 1), max_size=60))
def test_a_fortune_is_never_lost_and_its_peak_is_the_most_that_it_was(course: list[float]) -> None:
    fortune, most = Fortune(), 1.0
    for difference in course:
        fortune.bet(difference)
        most = max(most, fortune.now)
    assert fortune.now > 0
    assert fortune.peak == pytest.approx(most)


def test_of_two_fortunes_the_better_ones_grows() -> None:
    """And the other shrinks."""
    evidence = Evidence(2)
    for block in range(20):
        ranks = ((2, 1), (1, 2)) if block % 4 else ((1, 2), (2, 1))
        evidence.add([match(block, at, ((0, 1), (1, 0))[at], ranks[at]) for at in (0, 1)])
    pair = evidence.pairs[0, 1]
    assert pair.first.now < 1 < pair.other.now
    assert pair.blocks == 20


def test_a_fortune_that_is_far_above_any_limit_stays_finite() -> None:
    """However long a tournament is."""
    fortune = Fortune()
    for _ in range(5000):
        fortune.bet(1.0)
    assert 1e99 < fortune.peak < float("inf")
