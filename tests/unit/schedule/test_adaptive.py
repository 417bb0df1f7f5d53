"""Waves of blocks: where neighbours are in doubt, whole tables, and always the same."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.schedule import Block, Gap, ScheduleError, first_wave, measure, next_wave, plan
from arena.schedule.following import Following

SEED = b"seed"
UNKNOWN = Gap(0, 0.5)
SETTLED = Gap(40, 0.0)


@st.composite
def situations(draw: st.DrawFn) -> tuple[int, int, list[int], list[Gap]]:
    """A field, a table size, an order, and what is known of neighbours."""
    size = draw(st.integers(2, 8))
    field = draw(st.integers(size, 14))
    order = draw(st.permutations(range(field)))
    gap = st.builds(Gap, st.integers(0, 300), st.just(0.0) | st.floats(1e-9, 0.7))
    return field, size, list(order), draw(st.lists(gap, min_size=field - 1, max_size=field - 1))


@settings(deadline=None)
@given(situations(), st.integers(1, 40))
def test_a_wave_is_whole_tables_of_the_field_and_goes_on_counting(
    situation: tuple[int, int, list[int], list[Gap]], most: int
) -> None:
    """Whatever is known; it has at least one block, and no more than it may."""
    field, size, order, gaps = situation
    past = first_wave(field, size, most=1000, seed=SEED)
    wave = next_wave(past, order, gaps, most=most)
    assert 1 <= len(wave) <= most
    assert [block.index for block in wave] == [len(past) + at for at in range(len(wave))]
    for block in wave:
        assert len(set(block.order)) == len(block.order) == size
        assert set(block.order) <= set(range(field))
    assert wave == next_wave(past, order, gaps, most=most)


@settings(deadline=None)
@given(st.integers(2, 8), st.integers(0, 12))
def test_the_first_wave_leads_from_everyone_to_everyone(size: int, more: int) -> None:
    """And is the beginning of the fixed schedule, as short as may be."""
    field = size + more
    wave = first_wave(field, size, most=1000, seed=SEED)
    assert wave == plan(field, size, blocks=len(wave), seed=SEED).blocks
    reached = {0}
    for _ in wave:
        for block in wave:
            if not reached.isdisjoint(block.order):
                reached |= set(block.order)
    assert reached == set(range(field))
    assert len(wave) * size <= 4 * field + size


def test_the_first_wave_is_no_longer_than_it_may_be() -> None:
    assert len(first_wave(10, 2, most=4, seed=SEED)) == 4


def test_a_field_that_cannot_fill_a_table_is_refused() -> None:
    with pytest.raises(ScheduleError, match="3 entries cannot fill a table of 4"):
        first_wave(3, 4, most=10, seed=SEED)


def test_at_tables_of_two_only_those_in_doubt_meet() -> None:
    """Whoever is separated from both neighbours doesn't play."""
    past = first_wave(6, 2, most=1000, seed=SEED)
    order = [3, 1, 0, 5, 4, 2]
    gaps = [SETTLED, UNKNOWN, SETTLED, SETTLED, Gap(20, 0.1)]
    met = Counter(block.table for block in next_wave(past, order, gaps, most=1000))
    assert met.keys() <= {(0, 1), (2, 4)}
    assert met[0, 1] == met.total()


def test_a_wave_goes_to_those_in_doubt_in_proportion() -> None:
    """Two who are in twice as much doubt meet twice as often, counting from the start."""
    past = [Block(index, (0, 1)) for index in range(600)]
    gaps = [Gap(0, 0.4), Gap(0, 0.2), Gap(0, 0.0)]
    met = Counter(block.table for block in next_wave(past, [0, 1, 2, 3], gaps, most=1000))
    assert met == {(0, 1): 40, (1, 2): 20}


def test_equal_bots_leave_blocks_to_others() -> None:
    """However sure others seem, while they are not separated they get some."""
    past = [Block(index, (0, 1)) for index in range(600)]
    gaps = [Gap(300, 0.5), Gap(50, 1e-12)]
    met = Counter(block.table for block in next_wave(past, [0, 1, 2], gaps, most=1000))
    assert met[1, 2] > 5


def test_a_larger_table_seats_a_row_of_those_in_doubt() -> None:
    """Each seat is to tell something."""
    past = first_wave(8, 4, most=1000, seed=SEED)
    gaps = [SETTLED] * 3 + [UNKNOWN] * 3 + [SETTLED]
    wave = next_wave(past, list(range(8)), gaps, most=1)
    assert wave[0].table == (3, 4, 5, 6)


def test_a_larger_table_seats_several_pairs_in_doubt() -> None:
    past = first_wave(8, 4, most=1000, seed=SEED)
    gaps = [UNKNOWN, *[SETTLED] * 5, UNKNOWN]
    wave = next_wave(past, list(range(8)), gaps, most=1)
    assert wave[0].table == (0, 1, 6, 7)


def test_seats_where_nobody_is_in_doubt_go_to_those_near_by() -> None:
    """Who always wins or always loses against both shows nothing of the two."""
    past = first_wave(9, 4, most=1000, seed=SEED)
    gaps = [*[SETTLED] * 4, UNKNOWN, *[SETTLED] * 3]
    wave = next_wave(past, list(range(9)), gaps, most=1)
    assert wave[0].table == (2, 3, 4, 5)


def test_waves_grow_with_what_has_been_played() -> None:
    """So that there are few of them in a long tournament, and none is long in a short one."""
    order, gaps = list(range(6)), [UNKNOWN] * 5
    blocks = plan(6, 2, blocks=900, seed=SEED).blocks
    assert [len(next_wave(blocks[:past], order, gaps, most=1000)) for past in (9, 100, 900)] == [
        3,
        10,
        90,
    ]


@pytest.mark.parametrize("size", range(2, 9))
def test_a_schedule_that_is_taken_up_again_goes_on_like_one_that_was_not(size: int) -> None:
    """Who followed whom is counted from blocks as it is when they are ordered."""
    blocks = plan(size + 2, size, blocks=30, seed=SEED).blocks
    straight, resumed = Following(size + 2, size), Following(size + 2, size)
    for block in blocks[:20]:
        assert Block(block.index, straight.order(block.table)).table == block.table
    again = Following(size + 2, size)
    for block in blocks[:20]:
        resumed.add(Block(block.index, again.order(block.table)))
    for block in blocks[20:]:
        assert straight.order(block.table) == resumed.order(block.table)


def test_those_who_meet_most_follow_each_other_evenly() -> None:
    """In 60 blocks of the same four, each follows each other about 60 times 4 matches over 3."""
    past = first_wave(6, 4, most=1000, seed=SEED)
    gaps = [UNKNOWN, UNKNOWN, UNKNOWN, SETTLED, SETTLED]
    blocks = list(past)
    while len(blocks) < 60:
        blocks += next_wave(blocks, list(range(6)), gaps, most=60 - len(blocks))
    four = [block for block in blocks if block.table == (0, 1, 2, 3)]
    assert len(four) > 50
    assert measure(4, 4, four).predecessors.spread <= 6
