"""Results taken apart by pairs: what two entries did against each other in each block.

A block is the independent unit, since its matches share their deals: whoever wants to know how sure
a figure is must compare blocks, never matches.
"""

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import combinations, compress, groupby
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from arena.rating.results import MatchResult

COLUMNS: Final = {"one": "I", "other": "I", "block": "I", "met": "I", "won": "d", "luck": "d"}
"""What is kept of a bout, and as which kind of number."""


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
Pairs: TypeAlias = Mapping[tuple[int, int], Sequence[Bout]]


class Meetings(Mapping[tuple[int, int], Sequence[Bout]]):
    """Pairs that grow with results, without going through old ones again.

    There may be millions, so they are columns of numbers: a bout takes 32 bytes, and a copy that
    grows in another way is made in a moment. The bouts of a block stand together.
    """

    def __init__(self) -> None:
        """Nobody has met yet. Luck that is not known is no number."""
        self.one: array[int] = array(COLUMNS["one"])
        self.other: array[int] = array(COLUMNS["other"])
        self.block: array[int] = array(COLUMNS["block"])
        self.met: array[int] = array(COLUMNS["met"])
        self.won: array[float] = array(COLUMNS["won"])
        self.luck: array[float] = array(COLUMNS["luck"])
        self.blocks = 0
        self._places: dict[tuple[int, int], list[int]] | None = None

    def extend(self, results: Iterable[MatchResult]) -> None:
        """Take in all results of blocks that come after all before them, in any order."""
        ordered = sorted(results, key=attrgetter("order"))
        for _, matches in groupby(ordered, key=lambda result: result.order[:-1]):
            self._add(list(matches))
            self.blocks += 1
        self._places = None

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Call the entries otherwise, which must keep their order."""
        for name in ("one", "other"):
            setattr(self, name, array(COLUMNS[name], map(numbers.__getitem__, getattr(self, name))))
        self._places = None

    def columns(self) -> dict[str, "array[int] | array[float]"]:
        """All of it, by bout: from it `resume` goes on."""
        return {name: getattr(self, name) for name in COLUMNS}

    def resume(self, columns: Mapping[str, "array[int] | array[float]"], blocks: int) -> None:
        """Go on from what `columns` gave, after so many blocks."""
        for name in COLUMNS:
            setattr(self, name, columns[name])
        self.blocks = blocks
        self._places = None

    def copy(self) -> "Meetings":
        """The same, to grow in another way."""
        copied = copy(self)
        for name in COLUMNS:
            setattr(copied, name, getattr(self, name)[:])
        return copied

    def of(self, entry: int) -> "Meetings":
        """Those of one entry alone, with all that it has met."""
        found = copy(self)
        its = [entry in pair for pair in zip(self.one, self.other, strict=True)]
        for name, kind in COLUMNS.items():
            setattr(found, name, array(kind, compress(getattr(self, name), its)))
        found._places = None
        return found

    @property
    def bouts(self) -> int:
        """How many bouts there are."""
        return len(self.one)

    def bout(self, at: int) -> Bout:
        """The one at that place."""
        luck = self.luck[at]
        return Bout(self.block[at], self.met[at], self.won[at], None if math.isnan(luck) else luck)

    def __len__(self) -> int:
        return len(self._by_pair())

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(sorted(self._by_pair()))

    def __getitem__(self, pair: tuple[int, int]) -> list[Bout]:
        return [self.bout(at) for at in self._by_pair()[pair]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Meetings):
            return super().__eq__(other)
        # As bytes, since what is not known does not equal itself.
        return self.blocks == other.blocks and all(
            bytes(getattr(self, name)) == bytes(getattr(other, name)) for name in COLUMNS
        )

    __hash__ = None  # type: ignore[assignment]

    def _by_pair(self) -> dict[tuple[int, int], list[int]]:
        if self._places is None:
            self._places = {}
            for at, pair in enumerate(zip(self.one, self.other, strict=True)):
                self._places.setdefault(pair, []).append(at)
        return self._places

    def _add(self, matches: Sequence[MatchResult]) -> None:
        """Take in a block."""
        known = all(match.luck is not None for match in matches)
        tallies: dict[tuple[int, int], list[float]] = {}
        for match in matches:
            seats = sorted(zip(match.entries, match.ranks, match.luck or match.ranks, strict=True))
            for (one, rank, luck), (other, behind, lack) in combinations(seats, 2):
                tally = tallies.setdefault((one, other), [0, 0.0, 0.0])
                tally[0] += 1
                tally[1] += 0.5 if rank == behind else rank < behind
                tally[2] += luck - lack
        for (one, other), (met, won, luck) in sorted(tallies.items()):
            self.one.append(one)
            self.other.append(other)
            self.block.append(self.blocks)
            self.met.append(int(met))
            self.won.append(won)
            # On equal deals luck cancels: to 0, and not to what floats leave of it.
            self.luck.append(round(luck, 9) if known else math.nan)


def bouts(results: Iterable[MatchResult]) -> Meetings:
    """Take results apart; they may come in any order."""
    meetings = Meetings()
    meetings.extend(results)
    return meetings
