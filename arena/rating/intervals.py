"""Intervals by bootstrap: how much a share would move if other blocks had been played."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from statistics import NormalDist
from typing import Any, Final

#: How often an interval holds the truth.
CONFIDENCE: Final = 0.95
#: With fewer blocks nobody can say how much blocks differ.
FEWEST_BLOCKS: Final = 6

#: How many other sets of blocks are drawn.
_RESAMPLES = 1000
#: More blocks are put together to so many lots, which makes the interval 2 % wider.
_MOST_LOTS = 60
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Interval:
    """From where to where the truth lies, as far as can be told; in 95 of 100 cases it does."""

    low: float
    high: float


def interval(blocks: Sequence[tuple[float, float]]) -> Interval | None:
    """The interval of a share, by what was won and of how much in each block, in schedule order.

    None with fewer than `FEWEST_BLOCKS`. As many blocks as there are are drawn again and again,
    each time any block any number of times; the interval is where the shares of most of these draws
    lie. It is the percentile interval, with two remedies for few blocks: the percentiles are those
    that a t interval's limits would have ("expanded percentiles", T. Hesterberg, What Teachers
    Should Know About the Bootstrap, 2014), and one meeting more is won and one more is lost, as
    whoever has won everything hasn't proved that it always will. `benches.fairness.statements`
    measures how often it holds the truth. The draws are always the same: so equal blocks have equal
    intervals.
    """
    if len(blocks) < FEWEST_BLOCKS:
        return None
    lots = _lots(blocks)
    won = [*(mine for mine, _ in lots), 1.0, 0.0]
    met = [*(most for _, most in lots), 1.0, 1.0]
    shares = sorted(sum(draw(won)) / sum(draw(met)) for draw in _draws(len(won)))
    beyond = _tail(len(lots)) * len(shares)
    return Interval(shares[math.floor(beyond)], shares[math.ceil(len(shares) - beyond) - 1])


def _lots(blocks: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
    """Every so many blocks put together, where there are very many."""
    if len(blocks) <= _MOST_LOTS:
        return blocks
    dealt = [blocks[lot::_MOST_LOTS] for lot in range(_MOST_LOTS)]
    return [(sum(won for won, _ in lot), sum(met for _, met in lot)) for lot in dealt]


@lru_cache(maxsize=16)
def _draws(size: int) -> tuple[Callable[[Sequence[float]], tuple[Any, ...]], ...]:
    """Ways to draw so many of so many, each giving what it has drawn; always the same."""
    chance = random.Random(size)  # noqa: S311 - nobody gains by knowing it
    return tuple(itemgetter(*chance.choices(range(size), k=size)) for _ in range(_RESAMPLES))


def _tail(blocks: int) -> float:
    """What part of the draws lies beyond either limit.

    A t interval's limits would be so far out in the bootstrap's own distribution, whose spread is
    too small by the root of (n-1)/n.
    """
    return _NORMAL.cdf(-math.sqrt(blocks / (blocks - 1)) * _student(blocks - 1))


def _student(freedom: int) -> float:
    """The upper limit of a 95 % interval in Student's t distribution.

    By the expansion of Cornish and Fisher, which is true to 0.004 from 5 degrees of freedom on.
    """
    z = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
