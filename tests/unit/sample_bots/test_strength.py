"""The bots are worth beating in their order; docs/7-sample-bots.md has the exact figures."""

from __future__ import annotations

from statistics import fmean

import pytest

from tools.win_rates import Contest, play_block


@pytest.mark.parametrize(
    ("contest", "blocks", "least"),
    [
        (Contest("claims", "greedy", "random", 2), 5, 0.9),
        (Contest("claims", "counter", "greedy", 2), 10, 0.7),
        (Contest("claims", "counter", "greedy", 4), 5, 0.4),
        (Contest("claim", "greedy", "random", 2), 5, 0.9),
        (Contest("claim", "counter", "greedy", 2), 10, 0.7),
        (Contest("claim", "counter", "greedy", 4), 5, 0.4),
        (Contest("claro", "greedy", "random", 3), 20, 0.4),
        (Contest("claro", "sampler", "greedy", 3), 40, 0.35),
    ],
    ids=str,
)
def test_the_stronger_bot_wins_more_than_its_share(
    contest: Contest, blocks: int, least: float
) -> None:
    """On equal deals in every seat, by a bound that leaves room for other versions of it."""
    assert fmean(play_block(contest, number) for number in range(blocks)) >= least
