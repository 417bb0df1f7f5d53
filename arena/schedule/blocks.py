"""Blocks: the matches of one table on the same deals, and who sits where in each.

A block of a table of n has n matches, and every entry holds every seat in one of them. The table's
entries stand in a ring, each seat has a place on it, and after each match everyone moves on by one
place, once round. With the places in the order of the seats this would be the plain rotation, in
which one's neighbour is the same entry in all n matches. Then n-1 blocks can't be fair to all: for
4 and for 6 there aren't n-1 cyclic orders in which each follows each other once (Tillson, 1980).
`PLACES` therefore spreads the seats over the ring, so that one's predecessor changes from match to
match: within a block of 4, 6 or 8 each follows each other once or twice, of 5 or 7 at most twice
(each but one other at least once), and over the n-1 rings of `RINGS` exactly n times, for every n.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

MIN_TABLE = 2
MAX_TABLE = 8

#: The place of each seat on the table's ring. The ways from a seat's place to the next seat's
#: (round the table) take all lengths 1..n-1 as evenly as they can: found by search, and for even n
#: the zigzag of E. J. Williams (1949). tests/unit/schedule/test_blocks.py searches again.
PLACES: dict[int, tuple[int, ...]] = {
    2: (0, 1),
    3: (0, 1, 2),
    4: (0, 1, 3, 2),
    5: (0, 1, 2, 4, 3),
    6: (0, 1, 5, 2, 4, 3),
    7: (0, 1, 2, 4, 6, 5, 3),
    8: (0, 1, 7, 2, 6, 3, 5, 4),
}


@dataclass(frozen=True, slots=True)
class Block:
    """The n matches of a table of n on the same deals, everyone in every seat once."""

    #: The block's place in the schedule, from 0.
    index: int
    #: The entries in the seat order of the first match.
    order: tuple[int, ...]

    @property
    def table(self) -> tuple[int, ...]:
        """The entries that meet, in ascending order."""
        return tuple(sorted(self.order))

    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """For each of the n matches in turn the entry at each seat; the first is `order`."""
        size = len(self.order)
        ring = ring_of(self.order)
        return tuple(
            tuple(ring[(place + moved) % size] for place in PLACES[size]) for moved in range(size)
        )


def seated(ring: Sequence[int]) -> tuple[int, ...]:
    """The first seating of a ring: who sits at each seat before anyone has moved."""
    return tuple(ring[place] for place in PLACES[len(ring)])


def ring_of(order: Sequence[int]) -> list[int]:
    """The ring whose first seating is `order`."""
    ring = [0] * len(order)
    for place, entry in zip(PLACES[len(order)], order, strict=True):
        ring[place] = entry
    return ring


def ways(size: int) -> list[int]:
    """How many seats are d places behind the next seat, for each d in 0..size-1.

    So often does, within one block, the entry at a place follow the one d places before it.
    """
    places = PLACES[size]
    counts = [0] * size
    for here, there in pairwise((*places, places[0])):
        counts[(there - here) % size] += 1
    return counts


def rings(size: int) -> tuple[tuple[int, ...], ...]:
    """n-1 rings of the numbers 0..n-1 over which each follows each other equally often.

    An odd table size here is a prime: counting on by 1, by 2, ... by n-1 sends every way to every
    other once. For an even one only the way n/2 is taken twice, which is between opposite places:
    the rings put each pair opposite once, as a round robin of n players pairs them in n-1 rounds.
    """
    if size % 2:
        return tuple(tuple(step * place % size for place in range(size)) for step in range(1, size))
    last = size - 1
    made = []
    for still in range(last):
        pairs = [(last, still)]
        pairs += [((still + far) % last, (still - far) % last) for far in range(1, size // 2)]
        made.append(tuple(one for one, _ in pairs) + tuple(other for _, other in pairs))
    return tuple(made)


RINGS = {size: rings(size) for size in PLACES}
