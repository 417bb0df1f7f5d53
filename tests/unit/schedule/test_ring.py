"""Tables turned round the ring do to meetings what is said of them."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.schedule.chance import Chance
from arena.schedule.ordering import in_order
from arena.schedule.ring import Base, Ring, Table, raised, spread
from arena.schedule.searching import Search

rings = st.tuples(st.integers(2, 8), st.integers(0, 30)).map(
    lambda drawn: Ring(drawn[0] + drawn[1], drawn[0])
)


def random_base(ring: Ring, seed: bytes) -> Base:
    """Any table of a ring."""
    return ring.base(tuple(sorted(Chance(seed, "base").shuffled(ring.field)[: ring.size])))


def meetings(tables: list[Table]) -> Counter[tuple[int, int]]:
    """How often pairs meet, counted."""
    return Counter(pair for table in tables for pair in combinations(table, 2))


@settings(deadline=None)
@given(rings, st.binary(max_size=4))
def test_a_cycle_raises_pairs_by_their_distance(ring: Ring, seed: bytes) -> None:
    """As its base says, also where the table falls on itself before the whole turn."""
    base = random_base(ring, seed)
    tables = ring.turned(base.table)
    assert len(set(tables)) == len(tables) == base.turns
    counted = meetings(tables)
    for one, other in combinations(range(ring.field), 2):
        assert counted[one, other] == base.rises[ring.apart[one - other]]


@settings(deadline=None)
@given(rings, st.binary(max_size=4))
def test_images_are_true_and_as_even(ring: Ring, seed: bytes) -> None:
    """What is said of an image is what making it a base of its own finds."""
    base = random_base(ring, seed)
    images = ring.images(base)
    assert base in images
    for image in images:
        assert image == ring.base(image.table)
        assert spread(image.rises) == spread(base.rises)


@pytest.mark.parametrize(("field", "size"), [(2, 2), (7, 2), (8, 4), (9, 3), (9, 6), (10, 8)])
def test_all_bases_turn_into_all_tables(field: int, size: int) -> None:
    """Each table comes from exactly one."""
    ring = Ring(field, size)
    tables = [table for base in ring.bases() for table in ring.turned(base.table)]
    assert sorted(tables) == [*combinations(range(field), size)]


@settings(deadline=None, max_examples=50)
@given(rings, st.binary(max_size=4), st.binary(max_size=4))
def test_an_order_keeps_the_tables_and_tells_how_rough_it_is(
    ring: Ring, first: bytes, second: bytes
) -> None:
    """The worst unevenness on the way is the one that counting afresh finds."""
    before, base = random_base(ring, first), random_base(ring, second)
    levels = raised(ring.start(), before)
    row, (worst, _) = in_order(ring, levels, base)
    assert sorted(row) == sorted(ring.turned(base.table))
    met = meetings(ring.turned(before.table))
    played: Counter[int] = Counter()
    seen = []
    for table in row:
        met.update(combinations(table, 2))
        played.update(table)
        plays = [played[place] for place in range(ring.field)]
        meets = [met[pair] for pair in combinations(range(ring.field), 2)]
        seen.append(max(plays) - min(plays) + max(meets) - min(meets))
    if max(base.rises) > 1:
        assert worst == max(seen)
    else:
        assert worst <= max(seen)


@settings(deadline=None, max_examples=25)
@given(st.integers(3, 8), st.integers(30, 60), st.integers(0, 3))
def test_a_search_levels_better_than_chance(size: int, more: int, cycles: int) -> None:
    """What it finds leaves the ring at least as level as any of twenty random tables would."""
    ring = Ring(size + more, size)
    search = Search(ring)
    levels = ring.start()
    for cycle in range(cycles + 1):
        found = search.promising(levels, cycle * ring.field)
        after = {spread(raised(levels, base)) for base in found}
        assert len(after) == 1
        chance = [random_base(ring, b"%d" % number) for number in range(20)]
        assert min(after) <= min(spread(raised(levels, base)) for base in chance)
        levels = raised(levels, found[0])
