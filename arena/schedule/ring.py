"""The ring that all entries stand in, and tables that are turned round it.

A table turned on by one place at a time becomes as many tables as the ring has places (fewer if it
falls on itself sooner): a *cycle*. After whole cycles everyone has played equally often, and how
often two entries have met depends on nothing but the distance between them. So to let all pairs
meet equally often it is enough to level the distances, half as many as there are places, where a
quick search does better than any could on the pairs.

*Levels* are the meetings of two entries by the distance between them, with nothing at distance 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd

Table = tuple[int, ...]
"""Who meets, as places on the ring in ascending order."""


@dataclass(frozen=True, slots=True)
class Base:
    """A table to be turned, and what its cycle does."""

    table: Table
    #: How many different tables it becomes.
    turns: int
    #: By how much its cycle raises each level.
    rises: tuple[int, ...]


def spread(levels: Sequence[int]) -> int:
    """The difference between the pairs that met most and least."""
    return max(levels[1:]) - min(levels[1:])


def raised(levels: Sequence[int], base: Base) -> list[int]:
    """The levels after one more cycle."""
    return [level + rise for level, rise in zip(levels, base.rises, strict=True)]


class Ring:
    """A ring of places 0..field-1 for tables of one size."""

    def __init__(self, field: int, size: int) -> None:
        self.field = field
        self.size = size
        #: Places a and b are apart[a - b] apart: a negative index counts from the end.
        self.apart = [min(way, field - way) for way in range(field)]
        self.farthest = field // 2
        #: By how much one pair of a table raises its level in a whole turn: two places opposite
        #: each other change places half way, and meet again.
        self.rise = [1 + (2 * distance == field) for distance in range(self.farthest + 1)]

    def start(self) -> list[int]:
        """The levels before any cycle."""
        return [0] * (self.farthest + 1)

    def turned(self, table: Table) -> list[Table]:
        """All the different tables that one becomes when it is turned, itself first."""
        return list(dict.fromkeys(self._moved(table, by) for by in range(self.field)))

    def base(self, table: Table) -> Base:
        """A table with what its cycle does."""
        turns = len(self.turned(table))
        pairs = self.start()
        for one, other in combinations(table, 2):
            pairs[self.apart[one - other]] += 1
        rises = [
            count * rise * turns // self.field for count, rise in zip(pairs, self.rise, strict=True)
        ]
        return Base(table, turns, tuple(rises))

    def bases(self) -> list[Base]:
        """Bases of all cycles: every table comes up in exactly one of them."""
        return [
            self.base(table)
            for rest in combinations(range(1, self.field), self.size - 1)
            if (table := (0, *rest)) == min(self._moved(table, -place) for place in table)
        ]

    def images(self, base: Base) -> list[Base]:
        """A base with all its distances multiplied alike: as even as it is, but it raises others.

        Only by what has no divisor in common with the field, so that no two places fall together.
        """
        made = []
        for by in range(1, self.farthest + 1):
            if gcd(by, self.field) > 1:
                continue
            rises = self.start()
            for distance, rise in enumerate(base.rises):
                rises[self.apart[by * distance % self.field]] = rise
            table = tuple(sorted([by * place % self.field for place in base.table]))
            made.append(Base(table, base.turns, tuple(rises)))
        return made

    def _moved(self, table: Table, by: int) -> Table:
        return tuple(sorted([(place + by) % self.field for place in table]))
