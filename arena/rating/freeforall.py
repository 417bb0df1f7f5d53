"""TrueSkill for a match of everyone against everyone, in plain floats.

The same messages in the same order as in the trueskill package, for teams of one. The package is
made for teams of any size and weight and takes some thirteen times as long; a property test holds
the two together. The normal distribution is exact here, where the package's own is good to 1e-7.

The factor graph is a chain: the entries by rank, and between neighbours the difference of their
performances, which is above the draw margin, or within it in a tie. A message is a normal
distribution as two numbers, its precision and its precision times its mean; 0 and 0 say nothing.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

#: As in the package: rounds of messages end when nothing moves by more, or after so many.
_SETTLED: Final = 1e-4
_ROUNDS: Final = 10
#: Beyond so many standard deviations floats can't hold the area of a normal tail.
_FAR: Final = 35.0
_ROOT_HALF: Final = math.sqrt(0.5)
_PEAK: Final = 1 / math.sqrt(2 * math.pi)


def draw_margin(draw_probability: float, beta: float) -> float:
    """How far apart two performances are at most in a tie, if equals tie so often."""
    return NormalDist().inv_cdf((draw_probability + 1) / 2) * math.sqrt(2) * beta


def updated(
    means: Sequence[float],
    variances: Sequence[float],
    ranks: Sequence[int],
    noise: float,
    margin: float,
) -> tuple[list[float], list[float]]:
    """The means and variances of strengths after a match.

    The entries are listed from the best rank to the worst, equal ranks are ties. `noise` is the
    variance of a performance around its strength, `margin` how far apart those who tie can be.
    """
    chain = _Chain(means, [variance + noise for variance in variances], ranks, margin)
    chain.settle()
    means_after, variances_after = [], []
    for mean, variance, (known, weighted) in zip(means, variances, chain.said(), strict=True):
        share = 1 / (1 + noise * known)
        after = 1 / (1 / variance + share * known)
        means_after.append((mean / variance + share * weighted) * after)
        variances_after.append(after)
    return means_after, variances_after


class _Chain:
    """Performances in the order of their ranks, and what each is told by its neighbours."""

    __slots__ = ("_above", "_below", "_known", "_margin", "_ranks", "_result", "_weighted")

    def __init__(
        self,
        means: Sequence[float],
        variances: Sequence[float],
        ranks: Sequence[int],
        margin: float,
    ) -> None:
        nothing = (0.0, 0.0)
        self._ranks = ranks
        self._margin = margin
        self._known = [1 / variance for variance in variances]
        self._weighted = [mean / variance for mean, variance in zip(means, variances, strict=True)]
        #: What the differences to the next better and to the next worse say, by entry, ...
        self._above = [nothing] * len(ranks)
        self._below = [nothing] * len(ranks)
        #: ... and what the ranks say of each difference.
        self._result = [nothing] * (len(ranks) - 1)

    def settle(self) -> None:
        """Pass messages down and up the chain until they stay as they are."""
        last = len(self._result) - 1
        if last == 0:
            self._compare(0)
        else:
            for _ in range(_ROUNDS):
                moved = 0.0
                for at in range(last):
                    moved = max(moved, self._compare(at))
                    self._tell_worse(at)
                for at in range(last, 0, -1):
                    moved = max(moved, self._compare(at))
                    self._tell_better(at)
                if moved <= _SETTLED:
                    break
        self._tell_better(0)
        self._tell_worse(last)

    def said(self) -> list[tuple[float, float]]:
        """What the whole match says of each performance."""
        return [
            (one + other, its + others)
            for (one, its), (other, others) in zip(self._above, self._below, strict=True)
        ]

    def _better(self, at: int) -> tuple[float, float]:
        """Mean and variance of an entry's performance, by all but the next worse."""
        known, weighted = self._above[at]
        variance = 1 / (self._known[at] + known)
        return (self._weighted[at] + weighted) * variance, variance

    def _worse(self, at: int) -> tuple[float, float]:
        """Mean and variance of an entry's performance, by all but the next better."""
        known, weighted = self._below[at]
        variance = 1 / (self._known[at] + known)
        return (self._weighted[at] + weighted) * variance, variance

    def _compare(self, at: int) -> float:
        """Learn from the ranks of `at` and the next worse; return by how much that moved."""
        mean, variance = self._better(at)
        other, others = self._worse(at + 1)
        total = variance + others
        deviation = math.sqrt(total)
        gap = mean - other
        if self._ranks[at] == self._ranks[at + 1]:
            shift, shrink = _within(gap / deviation, self._margin / deviation)
        else:
            shift, shrink = _beyond((gap - self._margin) / deviation)
        after = 1 / (total * (1 - shrink))
        known = after - 1 / total
        weighted = (gap + deviation * shift) * after - gap / total
        before, weighted_before = self._result[at]
        self._result[at] = (known, weighted)
        return max(abs(weighted - weighted_before), math.sqrt(abs(known - before)))

    def _tell_worse(self, at: int) -> None:
        """The worse of a pair is the better less their difference."""
        mean, variance = self._better(at)
        known, weighted = self._result[at]
        dilution = 1 + variance * known
        self._above[at + 1] = (known / dilution, (mean * known - weighted) / dilution)

    def _tell_better(self, at: int) -> None:
        """The better of a pair is the worse plus their difference."""
        mean, variance = self._worse(at + 1)
        known, weighted = self._result[at]
        dilution = 1 + variance * known
        self._below[at] = (known / dilution, (mean * known + weighted) / dilution)


def _beyond(gap: float) -> tuple[float, float]:
    """For a standard normal around `gap` known to be above 0: by how much the mean shifts, and by
    which share the variance shrinks."""
    if gap < -_FAR:
        return -gap - 1 / gap + 2 / gap**3, 1 - 1 / gap**2 + 6 / gap**4
    shift = _PEAK * math.exp(-gap * gap / 2) / (0.5 * math.erfc(-gap * _ROOT_HALF))
    return shift, shift * (shift + gap)


def _within(gap: float, margin: float) -> tuple[float, float]:
    """The same for one known to be between -margin and margin."""
    high, low = margin - abs(gap), -margin - abs(gap)
    if high < -_FAR:
        shift, shrink = _far_within(-high, high - low)
    else:
        area = 0.5 * (math.erfc(-high * _ROOT_HALF) - math.erfc(-low * _ROOT_HALF))
        at_high = _PEAK * math.exp(-high * high / 2)
        at_low = _PEAK * math.exp(-low * low / 2)
        shift = (at_low - at_high) / area
        shrink = shift * shift + (high * at_high - low * at_low) / area
    return (-shift if gap < 0 else shift), shrink


def _far_within(start: float, width: float) -> tuple[float, float]:
    """Far out the density falls exponentially from `start` on, for `width`."""
    fall = start * width
    if fall > _FAR:
        beyond, variance = 1 / start, 1 / start**2
    elif fall < 1e-3:
        beyond, variance = width / 2, width**2 / 12
    else:
        grown = math.expm1(fall)
        beyond = 1 / start - width / grown
        variance = 1 / start**2 - (width / grown) ** 2 * (grown + 1)
    return -start - beyond, 1 - variance
