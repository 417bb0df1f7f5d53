"""Strengths that explain block scores."""

import math

import pytest

from arena.rating.evidence import Pair
from arena.rating.strength_fit import fitted


def pair(blocks: int, mean: float) -> Pair:
    """So many blocks with so much difference each."""
    made = Pair()
    for _ in range(blocks):
        made.meet(mean)
    return made


def test_many_blocks_give_the_logistic_difference() -> None:
    """A share of 3/4 is a difference of log 3, but for the little that is always doubted."""
    one, other = fitted(2, {(0, 1): pair(2000, 0.5)})
    assert one - other == pytest.approx(math.log(3), abs=0.01)


def test_differences_add_up_along_a_chain() -> None:
    """So two who never met are compared by those whom they met."""
    best, middle, worst = fitted(3, {(0, 1): pair(500, 0.3), (1, 2): pair(500, 0.3)})
    assert best - worst == pytest.approx(2 * (best - middle), abs=0.01)


def test_who_beat_strong_ones_is_stronger() -> None:
    """Of two with equal shares."""
    strengths = fitted(4, {(0, 1): pair(50, 0.8), (0, 2): pair(50, 0.0), (1, 3): pair(50, 0.0)})
    assert strengths[2] > strengths[3]


def test_who_always_wins_has_a_finite_strength() -> None:
    one, other = fitted(2, {(0, 1): pair(3, 1.0)})
    assert 0.5 < one < 10
    assert other == pytest.approx(-one, abs=0.01)


def test_who_has_not_played_is_in_the_middle() -> None:
    assert fitted(3, {(0, 2): pair(10, 0.5)})[1] == 0
