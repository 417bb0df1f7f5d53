"""Who follows whom: choosing the order of each table so that this comes out even."""

from collections.abc import Sequence
from itertools import combinations

from arena.schedule.blocks import RINGS, Block, ring_of, seated, ways


class Following:
    """Gives each table in turn the order that best makes up for what has been uneven before."""

    def __init__(self, field: int, size: int) -> None:
        self._field = field
        self._size = size
        self._ways = [(way, often) for way, often in enumerate(ways(size)) if often]
        #: What a ring of a table can't avoid, as any two at it follow each other, is no reason to
        #: choose: these are the ways that are taken more often than the least one.
        least = min(ways(size)[1:])
        self._extra = [(way, often - least) for way, often in self._ways if often > least]
        #: How often a has followed b, at a * field + b.
        self._follows = [0] * (field * field)

    def order(self, table: Sequence[int]) -> tuple[int, ...]:
        """The entries of a table in the seat order of its block's first match; counts the block."""
        ring = min(
            ([table[number] for number in ring] for ring in RINGS[self._size]), key=self._burden
        )
        # With one table only, the rings in turn are perfect in the end: a detour would lose that.
        while self._field > self._size and self._swap(ring):
            pass
        self._count(ring)
        return seated(ring)

    def add(self, block: Block) -> None:
        """Count a block whose order was chosen before."""
        self._count(ring_of(block.order))

    def _count(self, ring: Sequence[int]) -> None:
        for number, entry in enumerate(ring):
            for way, often in self._ways:
                follower = ring[(number + way) % self._size]
                self._follows[follower * self._field + entry] += often

    def _burden(self, ring: Sequence[int]) -> int:
        """How often those who would follow more than they must have followed already."""
        field, follows, twice = self._field, self._follows, [*ring, *ring]
        return sum(
            [
                often * follows[follower * field + entry]
                for way, often in self._extra
                for follower, entry in zip(twice[way:], ring, strict=False)
            ]
        )

    def _swap(self, ring: list[int]) -> bool:
        """Let the two change places that it helps most, if any; say whether two did."""
        best, now = self._burden(ring), None
        for pair in combinations(range(self._size), 2):
            self._exchange(ring, *pair)
            if (burden := self._burden(ring)) < best:
                best, now = burden, pair
            self._exchange(ring, *pair)
        if now:
            self._exchange(ring, *now)
        return now is not None

    def _exchange(self, ring: list[int], one: int, other: int) -> None:
        ring[one], ring[other] = ring[other], ring[one]
