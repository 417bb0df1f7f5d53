"""A block gives everyone every seat, and its orders let everyone follow everyone equally often."""

from collections import Counter
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule import MAX_TABLE, MIN_TABLE, Block
from arena.schedule.blocks import PLACES, RINGS, seated, ways

SIZES = range(MIN_TABLE, MAX_TABLE + 1)
sizes = pytest.mark.parametrize("size", SIZES)
tables = st.sampled_from(SIZES).flatmap(
    lambda size: st.lists(st.integers(0, 199), min_size=size, max_size=size, unique=True)
)


def follows(*blocks: Block) -> Counter[tuple[int, int]]:
    """In how many matches the second of two acts right after the first."""
    return Counter(
        pair
        for block in blocks
        for seating in block.seatings()
        for pair in pairwise((*seating, seating[0]))
    )


@given(tables)
def test_everyone_holds_every_seat_once(table: list[int]) -> None:
    """In the n matches of a block, of which the first is seated as its order says."""
    block = Block(0, tuple(table))
    seatings = block.seatings()
    assert seatings[0] == block.order
    assert len(seatings) == len(table)
    for held in zip(*seatings, strict=True):
        assert sorted(held) == sorted(table)
    assert all(sorted(seating) == sorted(table) for seating in seatings)


@given(tables)
def test_the_table_of_a_block_is_in_ascending_order(table: list[int]) -> None:
    """Whatever the order at it."""
    assert Block(3, tuple(table)).table == tuple(sorted(table))


@sizes
def test_over_one_less_blocks_than_entries_each_follows_each_equally_often(size: int) -> None:
    """Exactly n times in the n(n-1) matches, for every table size."""
    blocks = [Block(index, seated(ring)) for index, ring in enumerate(RINGS[size])]
    assert len(blocks) == size - 1
    assert follows(*blocks) == dict.fromkeys(permutations(range(size), 2), size)


@sizes
def test_any_beginning_of_these_blocks_is_nearly_even(size: int) -> None:
    """At tables of an even size no pair is ever more than one match ahead of another."""
    blocks = [Block(index, seated(ring)) for index, ring in enumerate(RINGS[size])]
    for played in range(1, size):
        counts = follows(*blocks[:played])
        spread = max(counts.values()) - min(counts[pair] for pair in permutations(range(size), 2))
        assert spread <= (1 if size % 2 == 0 else {3: 3, 5: 4, 7: 4}[size])


@pytest.mark.parametrize("size", [4, 6])
def test_the_plain_rotation_could_not_be_even(size: int) -> None:
    """No n-1 cyclic orders of 4 or 6 let each follow each once, so seats lie elsewhere here."""
    arcs = {pair: number for number, pair in enumerate(permutations(range(size), 2))}
    cycles = [
        sum(1 << arcs[pair] for pair in pairwise((0, *rest, 0)))
        for rest in permutations(range(1, size))
    ]
    through: dict[int, list[int]] = {}
    for cycle in cycles:
        for arc in range(len(arcs)):
            if cycle >> arc & 1:
                through.setdefault(arc, []).append(cycle)

    def can_be_completed(used: int) -> bool:
        free = ~used & ((1 << len(arcs)) - 1)
        if not free:
            return True
        first = (free & -free).bit_length() - 1
        return any(can_be_completed(used | c) for c in through[first] if not c & used)

    assert not can_be_completed(0)


@sizes
def test_no_places_spread_predecessors_better(size: int) -> None:
    """The search that the places were found by: all ways to lay n seats on a ring of n."""

    def unevenness(places: tuple[int, ...]) -> int:
        return sum(
            often**2
            for often in Counter(
                (there - here) % size for here, there in pairwise((*places, places[0]))
            ).values()
        )

    assert unevenness(PLACES[size]) == min(
        unevenness((0, *rest)) for rest in permutations(range(1, size))
    )


@sizes
def test_ways_say_how_often_one_follows_another(size: int) -> None:
    """Within a block, by how far apart they stand on the ring."""
    ring = list(range(size))
    counts = follows(Block(0, seated(ring)))
    for far, often in enumerate(ways(size)):
        for place in ring:
            assert counts[place, (place + far) % size] == often
