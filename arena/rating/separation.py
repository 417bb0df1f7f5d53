"""Which entries are proven to be better than which, and what is still open."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import Final

from arena.rating.evidence import BETS, Evidence, Pair
from arena.rating.results import RatingError
from arena.rating.strength_fit import fitted

_NORMAL: Final = NormalDist()
#: Added to the sum of squared differences: a few blocks that went one way are no certainty.
_UNSURE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two who follow each other in the order."""

    better: int
    worse: int
    #: Whether it is proven that they are in this order.
    separated: bool
    #: In how many blocks they have met.
    blocks: int
    #: The chance that they are the wrong way round, as it seems from these blocks; 0 if separated.
    doubt: float
    #: About how many more blocks of these two prove it; None if nothing shows yet that they differ.
    more: int | None


@dataclass(frozen=True, slots=True)
class Separation:
    """An order of a field, and between which neighbours it is proven."""

    #: The best first: as it is proven, and where it isn't, as it seems.
    order: tuple[int, ...]
    neighbours: tuple[Neighbours, ...]

    @property
    def clear(self) -> bool:
        """Whether all neighbours are separated, and so the whole order is proven."""
        return not self.open

    @property
    def open(self) -> tuple[Neighbours, ...]:
        """The neighbours that are not separated."""
        return tuple(pair for pair in self.neighbours if not pair.separated)

    def more(self, table_size: int) -> int | None:
        """About how many more blocks it takes until all are separated; None if nobody can tell."""
        needed = [pair.more for pair in self.open]
        if None in needed:
            return None
        known = [more for more in needed if more is not None]
        # A full table has one pair of neighbours less than seats.
        return max([*known, math.ceil(sum(known) / (table_size - 1))], default=0)


def check_confidence(confidence: float) -> None:
    """Raises RatingError unless one can be clear about an order with this probability."""
    if not 0.5 <= confidence < 1:
        raise RatingError(
            "the probability to be clear with is at least 0.5 and below 1, "
            f"so it cannot be {confidence}"
        )


def separate(evidence: Evidence, confidence: float, *, without: Collection[int] = ()) -> Separation:
    """Order a field and say what of the order is proven; `without` those who are not to be in it.

    However often this is asked as blocks are added, the chance that any two are ever called
    separated of whom the one is not better than the other is at most 1 - `confidence`; better means
    higher block scores on average where they meet, as `Evidence` counts differences. Each of the
    statements "a is better than b" has an equal share of that chance (Bonferroni), as the order is
    not known before. Of two who differ only one statement is wrong: if no two are exactly equal,
    the chance is at most half of that.

    The shares are those of the whole field, whoever is left out, so it holds however that is
    decided.

    Raises RatingError.
    """
    check_confidence(confidence)
    limit = evidence.entries * (evidence.entries - 1) / (1 - confidence)
    everybody = _order(fitted(evidence.entries, evidence.pairs), _betters(evidence, limit))
    order = tuple(entry for entry in everybody if entry not in without)
    return Separation(order, tuple(_neighbours(evidence, limit, *pair) for pair in pairwise(order)))


def _betters(evidence: Evidence, limit: float) -> list[set[int]]:
    """For each entry all who are proven to be better."""
    betters: list[set[int]] = [set() for _ in range(evidence.entries)]
    for (one, other), pair in evidence.pairs.items():
        if pair.first.peak >= limit:
            betters[other].add(one)
        if pair.other.peak >= limit:
            betters[one].add(other)
    return betters


def _order(strengths: Sequence[float], betters: Sequence[set[int]]) -> tuple[int, ...]:
    """The strongest first, but nobody before those who are proven to be better."""
    waiting = sorted(range(len(strengths)), key=lambda entry: (-strengths[entry], entry))
    placed: dict[int, None] = {}
    while waiting:
        free = (entry for entry in waiting if betters[entry] <= placed.keys())
        # Bots that beat each other in a circle have nobody who goes first.
        entry = next(free, waiting[0])
        placed[entry] = None
        waiting.remove(entry)
    return tuple(placed)


def _neighbours(evidence: Evidence, limit: float, better: int, worse: int) -> Neighbours:
    pair = evidence.pairs.get((min(better, worse), max(better, worse)), Pair())
    fortune, ahead = (pair.first, pair.total) if better < worse else (pair.other, -pair.total)
    if fortune.peak >= limit:
        return Neighbours(better, worse, True, pair.blocks, 0.0, 0)
    return Neighbours(
        better,
        worse,
        separated=False,
        blocks=pair.blocks,
        doubt=_NORMAL.cdf(-ahead / math.sqrt(pair.squares + _UNSURE)),
        more=_more(pair, ahead, limit / fortune.now),
    )


def _more(pair: Pair, ahead: float, times: float) -> int | None:
    """About how many blocks a fortune takes to grow so many times, if it goes on like this."""
    if ahead <= math.sqrt(pair.squares):  # within one standard error of nothing
        return None
    mean, square = ahead / pair.blocks, pair.squares / pair.blocks
    growth = max(part * mean - part * part * square / 2 for part in BETS)
    return math.ceil(math.log(times) / growth) if growth > 0 else None
