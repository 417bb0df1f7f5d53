"""How even a schedule is: counted from its seatings alone, whatever way they were made."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations, product

from arena.schedule.blocks import Block

_PLURALS = {"match": "matches", "block": "blocks"}


@dataclass(frozen=True, slots=True)
class Range:
    """The smallest and the largest of some counts."""

    least: int
    most: int

    @property
    def spread(self) -> int:
        """The difference between the two."""
        return self.most - self.least

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"

    def of(self, thing: str) -> str:
        """With the things that were counted: "1 block", "0 to 1 blocks"."""
        return f"{self} {thing}" if self.least == self.most == 1 else f"{self} {_PLURALS[thing]}"


@dataclass(frozen=True, slots=True)
class Figures:
    """What a schedule, or as much of it as has been played, gives to everyone.

    Printed, it is three lines of text.
    """

    #: In how many matches an entry holds a seat, over all entries and seats.
    seats: Range
    #: In how many matches an entry acts right after another, over all ordered pairs.
    predecessors: Range
    #: In how many blocks two entries meet, over all pairs.
    meetings: Range

    def __str__(self) -> str:
        return (
            f"seats         each entry holds each seat in {self.seats.of('match')}\n"
            f"predecessors  each entry follows each other in {self.predecessors.of('match')}\n"
            f"meetings      each pair meets in {self.meetings.of('block')}"
        )


def measure(field: int, table_size: int, blocks: Iterable[Block]) -> Figures:
    """The figures of any blocks of a field of entries 0..field-1 at tables of one size."""
    seats: Counter[tuple[int, int]] = Counter()
    follows: Counter[tuple[int, int]] = Counter()
    meets: Counter[tuple[int, int]] = Counter()
    for block in blocks:
        meets.update(combinations(block.table, 2))
        for seating in block.seatings():
            seats.update(enumerate(seating))
            follows.update(pairwise((*seating, seating[0])))
    entries = range(field)
    return Figures(
        seats=_range(seats[key] for key in product(range(table_size), entries)),
        predecessors=_range(follows[key] for key in permutations(entries, 2)),
        meetings=_range(meets[key] for key in combinations(entries, 2)),
    )


def _range(counts: Iterable[int]) -> Range:
    known = set(counts)
    return Range(min(known), max(known))
