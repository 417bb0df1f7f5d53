"""The endless row of tables for a field and a table size, one cycle of the ring after another.

Nothing here depends on a tournament's seed, so the balance of a row can be measured once and for
all; the seed only says which entry stands at which place of the ring.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

from arena.schedule.ordering import in_order
from arena.schedule.ring import Base, Ring, Table, raised, spread
from arena.schedule.searching import CANDIDATES, Search

#: A field is small if an entry can sit at all its tables within so many blocks.
SMALL_FIELD_BLOCKS = 200


@dataclass(frozen=True, slots=True)
class Cycle:
    """A table turned once round, in an order in which any beginning is nearly balanced too."""

    tables: tuple[Table, ...]
    #: The difference between the pairs that have met most and least, after this cycle.
    spread: int


def is_small(field: int, size: int) -> bool:
    """Whether all tables of a size are few enough for each to be played."""
    return comb(field - 1, size - 1) <= SMALL_FIELD_BLOCKS


def cycles(field: int, size: int) -> Iterator[Cycle]:
    """The endless row. In a small field every table comes up before any comes again."""
    ring = Ring(field, size)
    source = _Every(ring) if is_small(field, size) else Search(ring)
    levels = ring.start()
    tables = 0
    while True:
        tried = [(base, *in_order(ring, levels, base)) for base in source.promising(levels, tables)]
        base, row, _ = min(tried, key=lambda one: one[2])
        source.take(base)
        levels = raised(levels, base)
        tables += len(row)
        yield Cycle(tuple(row), spread(levels))


class _Every:
    """Goes through the cycles of a small field, and again from the start."""

    def __init__(self, ring: Ring) -> None:
        self._all = ring.bases()
        self._waiting = self._all[:]

    def promising(self, levels: list[int], tables: int) -> list[Base]:  # noqa: ARG002
        """Those that leave the ring level; of these uneven ones first, while others make up."""

        def key(base: Base) -> tuple[int, int]:
            return max(1, spread(raised(levels, base))), -sum([rise**2 for rise in base.rises])

        best = min(map(key, self._waiting))
        return [base for base in self._waiting if key(base) == best][:CANDIDATES]

    def take(self, base: Base) -> None:
        """One of the promising was taken: it comes again when all have been."""
        self._waiting.remove(base)
        self._waiting = self._waiting or self._all[:]
