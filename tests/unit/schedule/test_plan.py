"""A schedule is fair as a whole, nearly fair wherever it stops, and follows from its seed."""

import hashlib
import random
import subprocess
import sys
from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.schedule import MAX_TABLE, MIN_TABLE, Block, Schedule, ScheduleError, measure, plan
from arena.schedule.turning import SMALL_FIELD_BLOCKS

SIZES = range(MIN_TABLE, MAX_TABLE + 1)
LARGEST = 200

#: By how much meetings of pairs and tables of entries may differ where a schedule is cut off, by
#: table size. As a row of tables doesn't depend on the seed, the soak test below proves these.
CUT_MEETINGS = {2: 1, 3: 3, 4: 4, 5: 4, 6: 5, 7: 5, 8: 5}
CUT_TABLES = {2: 2, 3: 3, 4: 3, 5: 4, 6: 5, 7: 5, 8: 6}

fields = st.sampled_from(SIZES).flatmap(
    lambda size: st.tuples(st.integers(size, LARGEST), st.just(size))
)
small_fields = st.sampled_from(
    [
        (field, size)
        for size in SIZES
        for field in range(size + 1, 25)
        if comb(field - 1, size - 1) <= SMALL_FIELD_BLOCKS
    ]
)
# How long it takes depends on who else is at work here.
unhurried = settings(deadline=None, max_examples=25)


class Balance:
    """Meetings and tables counted block by block, and how far apart they were at most."""

    def __init__(self, field: int) -> None:
        self.field = field
        self.met = Counter({self._pair(*pair): 0 for pair in combinations(range(field), 2)})
        self.played = Counter(dict.fromkeys(range(field), 0))
        self._of_met = Counter(self.met.values())
        self._of_played = Counter(self.played.values())

    def add(self, table: tuple[int, ...]) -> tuple[int, int]:
        """Count a table; return the spreads of meetings and of tables now."""
        for counts, of, keys in (
            (self.met, self._of_met, [self._pair(*pair) for pair in combinations(table, 2)]),
            (self.played, self._of_played, table),
        ):
            for key in keys:
                of[counts[key]] -= 1
                counts[key] += 1
                of[counts[key]] += 1
        return _spread(self._of_met), _spread(self._of_played)

    def _pair(self, one: int, other: int) -> int:
        return one * self.field + other


def _spread(of: Counter[int]) -> int:
    there = [count for count, things in of.items() if things]
    return max(there) - min(there)


def cut(schedule: Schedule) -> tuple[int, int]:
    """The largest spreads of meetings and of tables over all beginnings of a schedule."""
    balance = Balance(schedule.field)
    spreads = [balance.add(block.table) for block in schedule.blocks]
    return max(met for met, _ in spreads), max(played for _, played in spreads)


@settings(deadline=None, max_examples=10)
@given(fields, st.binary(max_size=32))
@example((16, 6), b"")
@example((29, 8), b"")
@example((43, 7), b"")
@example((57, 8), b"")
@example((200, 4), b"")
def test_the_default_is_fair(shape: tuple[int, int], seed: bytes) -> None:
    """For every table size and any field to 200: each seat equally often for everyone, and each
    pair meets equally often, give or take one, so the most and the least differ by one."""
    figures = plan(*shape, seed=seed).figures()
    assert figures.seats.spread == 0
    assert figures.seats.least >= 1
    assert figures.meetings.spread <= 1


@unhurried
@given(small_fields, st.binary(max_size=32))
def test_a_small_field_plays_every_table_once(shape: tuple[int, int], seed: bytes) -> None:
    """So every pair meets equally often, exactly."""
    field, size = shape
    schedule = plan(field, size, seed=seed)
    assert sorted(block.table for block in schedule.blocks) == [*combinations(range(field), size)]
    assert schedule.figures().meetings.spread == 0


@unhurried
@given(small_fields)
def test_more_blocks_than_tables_play_every_table_again(shape: tuple[int, int]) -> None:
    """Each twice in twice as many blocks."""
    field, size = shape
    tables = comb(field, size)
    schedule = plan(field, size, blocks=2 * tables, seed=b"")
    again = [block.table for block in schedule.blocks[tables:]]
    assert sorted(again) == [*combinations(range(field), size)]


@pytest.mark.parametrize("size", SIZES)
def test_one_table_plays_until_all_have_followed_all(size: int) -> None:
    """n-1 blocks, after which each has followed each n times."""
    schedule = plan(size, size, seed=b"")
    assert len(schedule.blocks) == size - 1
    assert schedule.matches == size * (size - 1)
    figures = schedule.figures()
    assert (figures.seats.least, figures.seats.spread) == (size - 1, 0)
    assert (figures.predecessors.least, figures.predecessors.spread) == (size, 0)


@unhurried
@given(fields, st.integers(1, 400))
@example((10, 5), 252)
@example((10, 6), 210)
@example((11, 4), 330)
@example((40, 7), 280)
def test_wherever_it_stops_it_is_nearly_fair(shape: tuple[int, int], blocks: int) -> None:
    """No pair and no entry is ever further ahead than stated."""
    field, size = shape
    met, played = cut(plan(field, size, blocks=blocks, seed=b""))
    assert met <= CUT_MEETINGS[size]
    assert played <= CUT_TABLES[size]


@settings(deadline=None, max_examples=10)
@given(st.integers(101, LARGEST), st.integers(1, 1200))
def test_in_a_large_field_pairs_at_tables_of_four_meet_once_at_most(
    field: int, blocks: int
) -> None:
    """Until six of ten pairs have met: give or take one from the first block on."""
    blocks = min(blocks, comb(field, 2) // 10)
    assert cut(plan(field, 4, blocks=blocks, seed=b""))[0] == 1


@unhurried
@given(fields, st.integers(1, 400), st.binary(max_size=32))
def test_blocks_are_as_many_as_asked_for_and_seat_different_entries(
    shape: tuple[int, int], blocks: int, seed: bytes
) -> None:
    """Numbered from 0, each with as many entries of the field as the table has seats."""
    field, size = shape
    schedule = plan(field, size, blocks=blocks, seed=seed)
    assert [block.index for block in schedule.blocks] == list(range(blocks))
    for block in schedule.blocks:
        assert len(set(block.order)) == len(block.order) == size
        assert set(block.order) <= set(range(field))


@unhurried
@given(fields, st.integers(1, 150), st.integers(1, 150), st.binary(max_size=32))
def test_a_shorter_schedule_is_the_beginning_of_a_longer_one(
    shape: tuple[int, int], one: int, other: int, seed: bytes
) -> None:
    """With one seed, so a tournament can be made longer."""
    shorter, longer = sorted([one, other])
    whole = plan(*shape, blocks=longer, seed=seed)
    assert plan(*shape, blocks=shorter, seed=seed).blocks == whole.blocks[:shorter]


@unhurried
@given(fields, st.binary(max_size=32), st.binary(max_size=32))
def test_the_seed_only_says_who_is_who(shape: tuple[int, int], one: bytes, other: bytes) -> None:
    """Another seed gives the same schedule with the entries renamed, so equally fair."""
    here = plan(*shape, blocks=60, seed=one)
    there = plan(*shape, blocks=60, seed=other)
    name: dict[int, int] = {}
    for block, same in zip(here.blocks, there.blocks, strict=True):
        for entry, also in zip(block.order, same.order, strict=True):
            assert name.setdefault(entry, also) == also
    assert len(set(name.values())) == len(name)
    assert here.figures() == there.figures()


def test_seeds_make_different_schedules() -> None:
    """A hundred seeds, a hundred schedules."""
    assert len({plan(30, 4, blocks=5, seed=b"%d" % seed).blocks for seed in range(100)}) == 100


def test_a_schedule_is_the_same_on_every_platform() -> None:
    """The digest of all orders of a thousand blocks; it changes only on purpose."""
    schedule = plan(200, 4, blocks=1000, seed=bytes(32))
    orders = ";".join(",".join(map(str, block.order)) for block in schedule.blocks)
    assert (
        hashlib.sha256(orders.encode()).hexdigest()
        == "c4f793012c66a3c524c658661849e20685e1f04a8e2acb9c851640310b1e4abd"
    )


def test_pythons_own_chance_is_neither_used_nor_disturbed() -> None:
    """Nor does the order of hashing show: two interpreters agree."""
    random.seed(1)
    before = random.getstate()
    plan(20, 4, seed=b"x")
    assert random.getstate() == before
    code = "from arena.schedule import plan; print(hash(plan(20, 4, seed=b'x').blocks))"
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


@pytest.mark.parametrize("size", SIZES)
def test_followers_come_out_even_too(size: int) -> None:
    """In a field of twice the table and one of thirty, nobody follows another much more often."""
    for field in (2 * size, 30):
        figures = plan(field, size, seed=b"").figures()
        assert figures.predecessors.spread <= 8
        assert figures.predecessors.least >= 1


@settings(deadline=None, max_examples=15)
@given(fields, st.integers(1, 400))
@example((12, 5), 66)
@example((78, 7), 1100)
@example((84, 3), 1400)
def test_wherever_it_stops_nobody_follows_another_much_more_often(
    shape: tuple[int, int], blocks: int
) -> None:
    """For every table size and any field to 200; at tables of two these are the matches of a
    pair, which differ by one block."""
    field, size = shape
    figures = measure(field, size, plan(field, size, blocks=blocks, seed=b"").blocks)
    assert figures.predecessors.spread <= (2 if size == 2 else 9)
    assert figures.predecessors.most <= figures.meetings.most * size
    if size % 2 == 0 and figures.meetings.least:
        # At an even table each follows each other in every block in which they meet.
        assert figures.predecessors.least >= figures.meetings.least


@pytest.mark.parametrize(
    ("field", "size", "blocks", "said"),
    [
        (9, 9, None, "a table seats 2 to 8 entries, so its size cannot be 9"),
        (9, 1, None, "a table seats 2 to 8 entries, so its size cannot be 1"),
        (3, 4, None, "3 entries cannot fill a table of 4: enter more bots or choose smaller"),
        (1, 2, None, "1 entry cannot fill a table of 2"),
        (0, 2, 5, "0 entries cannot fill a table of 2"),
        (4, 4, 0, "a schedule has at least 1 block, not 0"),
        (4, 4, -3, "a schedule has at least 1 block, not -3"),
    ],
)
def test_what_cannot_be_planned_is_refused_in_one_line(
    field: int, size: int, blocks: int | None, said: str
) -> None:
    """That says what to do, as an error of the ValueError family."""
    with pytest.raises(ScheduleError, match=said) as error:
        plan(field, size, blocks=blocks, seed=b"")
    assert isinstance(error.value, ValueError)
    assert "\n" not in str(error.value)


def test_figures_count_what_they_say() -> None:
    """Two blocks of a field of four at tables of three, counted by hand."""
    figures = measure(4, 3, [Block(0, (0, 1, 2)), Block(1, (0, 2, 1))])
    assert (figures.seats.least, figures.seats.most) == (0, 2)
    assert (figures.predecessors.least, figures.predecessors.most) == (0, 3)
    assert (figures.meetings.least, figures.meetings.most) == (0, 2)
    assert figures.meetings.spread == 2
    assert str(figures) == (
        "seats         each entry holds each seat in 0 to 2 matches\n"
        "predecessors  each entry follows each other in 0 to 3 matches\n"
        "meetings      each pair meets in 0 to 2 blocks"
    )


def test_figures_of_a_fair_schedule_are_single_numbers() -> None:
    """Three blocks of one table of four."""
    assert str(plan(4, 4, seed=b"").figures()) == (
        "seats         each entry holds each seat in 3 matches\n"
        "predecessors  each entry follows each other in 4 matches\n"
        "meetings      each pair meets in 3 blocks"
    )


def test_one_of_a_thing_is_said_in_the_singular() -> None:
    """A single block: everyone holds each seat once, and meets everyone once."""
    assert str(measure(3, 3, [Block(0, (0, 1, 2))])) == (
        "seats         each entry holds each seat in 1 match\n"
        "predecessors  each entry follows each other in 0 to 3 matches\n"
        "meetings      each pair meets in 1 block"
    )


def test_figures_of_nothing_are_nothing() -> None:
    """Before the first block has been played."""
    figures = measure(5, 4, [])
    assert figures.seats.most == figures.predecessors.most == figures.meetings.most == 0


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("size", SIZES)
def test_every_field_to_200_keeps_all_bounds(size: int) -> None:
    """Not sampled: the default of each, and all beginnings of it, and of 100 blocks an entry."""
    for field in range(size, LARGEST + 1):
        default = plan(field, size, seed=b"")
        figures = default.figures()
        assert figures.seats.spread == 0, field
        assert figures.meetings.spread <= 1, field
        blocks = max(len(default.blocks), min(100 * field // size, comb(field, size)))
        met, played = cut(plan(field, size, blocks=blocks, seed=b""))
        assert met <= CUT_MEETINGS[size], field
        assert played <= CUT_TABLES[size], field
