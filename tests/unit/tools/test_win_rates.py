"""The measuring of win rates: its intervals, and that it can be done again."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import fmean

import pytest

from tools.win_rates import Contest, outcome, play_block


def test_blocks_of_single_matches_give_wilsons_interval() -> None:
    """60 of 100 won: 50.2 % to 69.1 %, as tables have it."""
    found = outcome([1.0] * 60 + [0.0] * 40, seats=1)
    assert found.share == pytest.approx(0.6)
    assert (found.low, found.high) == pytest.approx((0.502, 0.691), abs=0.002)


def test_a_bot_that_always_wins_is_not_taken_to_be_certain() -> None:
    """The interval stays open below, and never leaves what a share can be."""
    found = outcome([1.0] * 50, seats=2)
    assert found.matches == 100
    assert 0.9 < found.low < 0.95
    assert found.high == pytest.approx(1.0)


def test_the_interval_holds_the_truth_19_times_of_20() -> None:
    """Also where a block's matches have much in common."""
    rng = Random(1)
    held = 0
    for _ in range(500):
        # Half of the blocks' luck is the deal's, the other half each match's own.
        deals = [rng.choice([0.45, 0.95]) for _ in range(100)]
        blocks = [fmean(rng.random() < deal for _ in range(4)) for deal in deals]
        found = outcome(blocks, seats=4)
        held += found.low <= 0.7 <= found.high
    assert 0.93 <= held / 500 <= 0.97


def test_equal_seeds_give_equal_blocks_and_others_others() -> None:
    """The shares of wins of some blocks, for one seed twice and for another."""
    contest = Contest("claro", "sampler", "greedy", 3)
    first, again = ([play_block(contest, number) for number in range(4)] for _ in range(2))
    other = [play_block(replace(contest, seed=bytes([1]) * 32), number) for number in range(4)]
    assert first == again != other
