"""Results taken apart by pairs: what two entries did against each other in each block.

A block is the independent unit, since its matches share their deals: whoever wants to know how sure
a figure is must compare blocks, never matches.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from arena.rating.results import MatchResult


class Bout(NamedTuple):
    """What the first of two entries did against the other in one block."""

    #: The block's place among all, from 0.
    block: int
    #: The matches in which they met.
    met: int
    #: In how many of these the first ended before the other; a tie is half of one.
    won: float
    #: How much better the first's cards were than the other's, over these matches; None: not known
    #: for all matches of the block.
    luck: float | None


#: By two entries, the lower number first, their bouts in schedule order.
Pairs: TypeAlias = dict[tuple[int, int], list[Bout]]


class Meetings:
    """Pairs that grow with results, without going through old ones again."""

    def __init__(self) -> None:
        self._pairs: Pairs = {}
        self._blocks = 0

    def extend(self, results: Iterable[MatchResult]) -> None:
        """Take in all results of blocks that come after all before them, in any order."""
        ordered = sorted(results, key=attrgetter("order"))
        for _, matches in groupby(ordered, key=lambda result: result.order[:-1]):
            for pair, bout in _block(self._blocks, list(matches)):
                self._pairs.setdefault(pair, []).append(bout)
            self._blocks += 1

    def pairs(self) -> Pairs:
        """Those who have met so far."""
        return {pair: list(self._pairs[pair]) for pair in sorted(self._pairs)}

    def copy(self) -> "Meetings":
        """The same, to grow in another way."""
        copied = Meetings()
        copied._pairs, copied._blocks = self.pairs(), self._blocks
        return copied


def bouts(results: Iterable[MatchResult]) -> Pairs:
    """Take results apart; they may come in any order."""
    meetings = Meetings()
    meetings.extend(results)
    return meetings.pairs()


def _block(number: int, matches: Sequence[MatchResult]) -> Iterator[tuple[tuple[int, int], Bout]]:
    known = all(match.luck is not None for match in matches)
    tallies: dict[tuple[int, int], list[float]] = {}
    for match in matches:
        seats = sorted(zip(match.entries, match.ranks, match.luck or match.ranks, strict=True))
        for (one, rank, luck), (other, behind, lack) in combinations(seats, 2):
            tally = tallies.setdefault((one, other), [0, 0.0, 0.0])
            tally[0] += 1
            tally[1] += 0.5 if rank == behind else rank < behind
            tally[2] += luck - lack
    for pair, (met, won, luck) in tallies.items():
        # On equal deals luck cancels: to 0, and not to what floats leave of it.
        yield pair, Bout(number, int(met), won, round(luck, 9) if known else None)
