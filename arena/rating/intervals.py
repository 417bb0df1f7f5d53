"""Intervals by bootstrap: how much a share would move if other blocks had been played."""

import math
import random
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from statistics import NormalDist
from typing import Any, Final

#: How often an interval holds the truth.
CONFIDENCE: Final = 0.95
#: With fewer blocks nobody can say how much blocks differ.
FEWEST_BLOCKS: Final = 6

#: Of how many shares the draws are summed together.
_TOGETHER = 200
#: What is won is counted in parts of 2 ** -30, and is from -2 ** 24 to 2 ** 24 in a lot.
_POINT = 30
_LIFT = 2**54
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
    return intervals([blocks])[0]


def intervals(shares: Sequence[Sequence[tuple[float, float]]]) -> list[Interval | None]:
    """The intervals of many shares, which is far quicker than one after the other."""
    found: list[Interval | None] = [None] * len(shares)
    by_lots: dict[int, list[int]] = {}
    for at, blocks in enumerate(shares):
        if len(blocks) >= FEWEST_BLOCKS:
            by_lots.setdefault(min(len(blocks), _MOST_LOTS), []).append(at)
    for lots, places in sorted(by_lots.items()):
        for start in range(0, len(places), _TOGETHER):
            these = places[start : start + _TOGETHER]
            beyond = _tail(lots) * _RESAMPLES
            low, high = math.floor(beyond), math.ceil(_RESAMPLES - beyond) - 1
            for at, drawn in zip(these, _resampled([shares[each] for each in these]), strict=True):
                drawn.sort()
                found[at] = Interval(drawn[low], drawn[high])
    return found


def _resampled(shares: Sequence[Sequence[tuple[float, float]]]) -> Iterator[list[float]]:
    """Each share as each of the draws has it; all must have as many lots.

    The lots of all shares stand side by side in one long integer for each place, 64 bits a share.
    So a draw is one sum of integers for all of them, and it is exact: won is counted in
    2 ** -_POINT, and lifted, since what luck took can leave less than nothing.
    """
    won, met = [], []
    for lots in zip(*map(_lots, shares), strict=True):
        won.append(_packed([round(mine * 2**_POINT) + _LIFT for mine, _ in lots]))
        met.append(_packed([int(most) for _, most in lots]))
    one, none = (_packed([value] * len(shares)) for value in (2**_POINT + _LIFT, _LIFT))
    single = _packed([1] * len(shares))
    won, met = [*won, one, none], [*met, single, single]
    lifted = len(won) * _LIFT
    draws = [
        [
            (mine - lifted) / (most << _POINT)
            for mine, most in zip(
                _unpacked(sum(draw(won)), len(shares)),
                _unpacked(sum(draw(met)), len(shares)),
                strict=True,
            )
        ]
        for draw in _draws(len(won))
    ]
    return map(list, zip(*draws, strict=True))


def _packed(values: Sequence[int]) -> int:
    return int.from_bytes(array("Q", values).tobytes(), sys.byteorder)


def _unpacked(packed: int, count: int) -> "array[int]":
    return array("Q", packed.to_bytes(8 * count, sys.byteorder))


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
