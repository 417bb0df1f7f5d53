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
from itertools import pairwise
from statistics import NormalDist
from typing import Final

#: As in the package: rounds of messages end when nothing moves by more, or after so many.
_SETTLED: Final = 1e-4
_ROUNDS: Final = 10
#: Beyond so many standard deviations floats can't hold the area of a normal tail.
_FAR: Final = 35.0
_ROOT_HALF: Final = math.sqrt(0.5)
_PEAK: Final = 1 / math.sqrt(2 * math.pi)

_NOTHING: Final = (0.0, 0.0)


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
    said = _said(means, [variance + noise for variance in variances], ranks, margin)
    means_after, variances_after = [], []
    for mean, variance, (known, weighted) in zip(means, variances, said, strict=True):
        share = 1 / (1 + noise * known)
        after = 1 / (1 / variance + share * known)
        means_after.append((mean / variance + share * weighted) * after)
        variances_after.append(after)
    return means_after, variances_after


def _said(
    means: Sequence[float], variances: Sequence[float], ranks: Sequence[int], margin: float
) -> list[tuple[float, float]]:
    """What the whole match says of each performance, by rank.

    Messages are passed down and up the chain until they stay as they are. All of a ranking's time
    goes here, so it is written out in one loop, without calls for its parts.
    """
    last = len(ranks) - 2
    ties = [one == other for one, other in pairwise(ranks)]
    own = [(1 / variance, mean / variance) for mean, variance in zip(means, variances, strict=True)]
    #: What the differences to the next better and to the next worse say, by entry, ...
    above = [_NOTHING] * len(ranks)
    below = [_NOTHING] * len(ranks)
    #: ... and what the ranks say of each difference.
    results = [_NOTHING] * (last + 1)
    #: Down the chain each but the last difference tells the worse one of the two, and up the chain
    #: each but the first the better one; a chain of two has no more to tell than its ends.
    walk = [*range(last), *range(last, 0, -1)] or [0]
    sqrt = math.sqrt
    for _ in range(_ROUNDS if last else 1):
        moved = 0.0
        for step, at in enumerate(walk):
            known, weighted = own[at]
            heard, told = above[at]
            variance = 1 / (known + heard)
            mean = (weighted + told) * variance
            known, weighted = own[at + 1]
            heard, told = below[at + 1]
            others = 1 / (known + heard)
            other = (weighted + told) * others

            total = variance + others
            deviation = sqrt(total)
            gap = mean - other
            if ties[at]:
                shift, shrink = _within(gap / deviation, margin / deviation)
            else:
                shift, shrink = _beyond((gap - margin) / deviation)
            after = 1 / (total * (1 - shrink))
            known = after - 1 / total
            weighted = (gap + deviation * shift) * after - gap / total
            before, weighted_before = results[at]
            results[at] = (known, weighted)
            moved = max(moved, abs(weighted - weighted_before), sqrt(abs(known - before)))

            if step < last:
                dilution = 1 + variance * known
                above[at + 1] = (known / dilution, (mean * known - weighted) / dilution)
            elif last:
                dilution = 1 + others * known
                below[at] = (known / dilution, (other * known + weighted) / dilution)
        if moved <= _SETTLED:
            break
    # The ends are told once all is settled.
    below[0] = _told(own[1], below[1], results[0], 1)
    above[last + 1] = _told(own[last], above[last], results[last], -1)
    return [
        (one + other, its + others)
        for (one, its), (other, others) in zip(above, below, strict=True)
    ]


def _told(
    own: tuple[float, float], heard: tuple[float, float], result: tuple[float, float], sign: int
) -> tuple[float, float]:
    """One of two neighbours is the other plus their difference, or less it."""
    variance = 1 / (own[0] + heard[0])
    mean = (own[1] + heard[1]) * variance
    known, weighted = result
    dilution = 1 + variance * known
    return known / dilution, (mean * known + sign * weighted) / dilution


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
