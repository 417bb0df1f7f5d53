"""What blocks say about every pair of a field, kept so that one may look after every block.

A block is the unit: its matches share their deals, so only their sum is a fair comparison, and
different blocks have nothing in common. Two who meet in a block differ in it by their block scores,
the mean share of opponents beaten, a tie being half. For every pair two fortunes grow by betting on
these differences: one that the first is better, one that the second is. Where that is false a
fortune has on average no more than its stake, after every block, in whatever way tables were chosen
in view of the blocks before. So its chance of *ever* reaching k times its stake is 1/k at most
(Ville, 1939): that is why one may look as often as one likes, stop when one likes, and choose who
meets next.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby
from typing import Final

from arena.rating.results import MatchResult, RatingError

#: The parts of a fortune that are bet on a block, each with an equal share of the stake. The best
#: part is the differences' mean over their mean square, which nobody knows beforehand.
BETS: Final = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 15 / 16)
#: A fortune that needs to grow no more: far above any limit, far below what a float can hold.
_ENOUGH: Final = 1e100


@dataclass(slots=True)
class Fortune:
    """What betting that one of two is the better one has made of a stake of 1."""

    stakes: list[float] = field(default_factory=lambda: [1 / len(BETS)] * len(BETS))
    #: The most that it has ever been: what was proven stays proven.
    peak: float = 1.0

    @property
    def now(self) -> float:
        """What it is after the last block: above 0, as no bet risks all."""
        return sum(self.stakes)

    def bet(self, difference: float) -> None:
        """Bet on one more block, in which the one was better by so much, -1 to 1."""
        if self.peak < _ENOUGH:
            self.stakes = [
                stake * (1 + part * difference)
                for stake, part in zip(self.stakes, BETS, strict=True)
            ]
            self.peak = max(self.peak, self.now)


@dataclass(slots=True)
class Pair:
    """Two entries and the blocks in which they met, as differences: the first less the other.

    Differences are from -1 to 1, which is a large one.
    """

    blocks: int = 0
    total: float = 0.0
    squares: float = 0.0
    #: The bets that the first is better, and that the other is.
    first: Fortune = field(default_factory=Fortune)
    other: Fortune = field(default_factory=Fortune)

    def meet(self, difference: float) -> None:
        """Take one more block in."""
        self.blocks += 1
        self.total += difference
        self.squares += difference * difference
        self.first.bet(difference)
        self.other.bet(-difference)


class Evidence:
    """All that blocks say about the pairs of a field."""

    def __init__(self, entries: int) -> None:
        """For entries 0..entries-1, of whom none has played."""
        self.entries = entries
        #: By the two entries in ascending order; only those who have met.
        self.pairs: dict[tuple[int, int], Pair] = {}

    def add(self, results: Iterable[MatchResult]) -> None:
        """Take whole blocks in, in schedule order and after all that were taken in before.

        Raises RatingError for a block that is not complete.
        """
        for place, matches in groupby(results, key=lambda result: result.order[:-1]):
            beaten = _beaten(place, list(matches))
            # A block score of 1 in the same unit: all opponents beaten in all matches.
            most = 2 * len(beaten) * (len(beaten) - 1) * _large(len(beaten))
            for one, other in combinations(sorted(beaten), 2):
                difference = (beaten[one] - beaten[other]) / most
                pair = self.pairs.setdefault((one, other), Pair())
                pair.meet(max(-1.0, min(1.0, difference)))


def _large(size: int) -> float:
    """What counts as the largest difference of block scores at a table.

    At large tables differences are small: a bet that could bear any would gain little. So it is
    twice the standard deviation that they have among equals whose matches have nothing in common.
    """
    return min(1.0, 2 * math.sqrt((size + 1) / 6) / (size - 1))


def _beaten(place: tuple[int, ...], matches: Sequence[MatchResult]) -> dict[int, int]:
    """How many opponents each entry of a block has beaten, counted in halves, which a tie is."""
    beaten = dict.fromkeys(matches[0].entries, 0)
    for match in matches:
        if beaten.keys() != set(match.entries) or len(matches) != len(beaten):
            raise RatingError(f"the block {place} is not complete: it is n matches of the same n")
        for entry, rank in zip(match.entries, match.ranks, strict=True):
            beaten[entry] += sum((other > rank) + (other >= rank) for other in match.ranks) - 1
    return beaten
