"""Making a schedule: which entries meet in each block, and in what order they sit down."""

from dataclasses import dataclass
from math import comb

from arena.schedule.blocks import MAX_TABLE, MIN_TABLE, Block
from arena.schedule.chance import Chance
from arena.schedule.errors import ScheduleError
from arena.schedule.figures import Figures, measure
from arena.schedule.following import Following
from arena.schedule.ring import Table
from arena.schedule.turning import cycles, is_small

#: In a large field the default is at least so many blocks for each entry.
SAMPLE_BLOCKS = 50


@dataclass(frozen=True, slots=True)
class Schedule:
    """The blocks of a tournament in the order in which they are played and rated."""

    #: How many entries there are: 0..field-1.
    field: int
    table_size: int
    blocks: tuple[Block, ...]

    @property
    def matches(self) -> int:
        """How many matches all blocks have together."""
        return len(self.blocks) * self.table_size

    def figures(self) -> Figures:
        """How even it is: seats, predecessors and meetings."""
        return measure(self.field, self.table_size, self.blocks)


def plan(field: int, table_size: int, *, blocks: int | None = None, seed: bytes) -> Schedule:
    """Make the schedule of a tournament.

    `field` entries 0..field-1 meet at tables of `table_size`, 2 to 8. `blocks` says how many blocks
    there are. Without it a small field (an entry has at most 200 possible tables) plays every table
    once, or its only table n-1 times, and a larger one a sample in which all entries play equally
    often, at least 50 blocks, and all pairs meet equally often, give or take one: the most and the
    least differ by one at most, for every field to 200.

    Cut off anywhere, by `blocks` or by a run that stops, it is still nearly even. For fields to 200
    the meetings of two pairs differ by no more than 1, 3, 4, 4, 5, 5, 5 at tables of 2, 3, ... 8,
    and the blocks of two entries by no more than 2, 3, 3, 4, 5, 5, 6. The worst are in the smallest
    fields, where a difference of one is often impossible: any two tables of 4 out of 6 entries have
    a pair in common, while another pair hasn't met.

    Equal arguments give equal schedules on every platform. With one seed a shorter schedule is the
    beginning of a longer one.

    Raises ScheduleError.
    """
    _check(field, table_size, blocks)
    entries = Chance(seed, "places").shuffled(field)
    following = Following(field, table_size)
    return Schedule(
        field,
        table_size,
        tuple(
            Block(index, tuple(entries[place] for place in following.order(table)))
            for index, table in enumerate(_tables(field, table_size, blocks))
        ),
    )


def _tables(field: int, size: int, blocks: int | None) -> list[Table]:
    """The tables of all blocks, as places on the ring; without a number of blocks, the default."""
    if blocks is None and is_small(field, size):
        blocks = comb(field, size) if field > size else size - 1
    tables: list[Table] = []
    for cycle in cycles(field, size):
        tables += cycle.tables
        if blocks is not None:
            if len(tables) >= blocks:
                break
        elif len(tables) * size >= SAMPLE_BLOCKS * field and (
            cycle.spread <= 1 or len(tables) * size >= 2 * SAMPLE_BLOCKS * field
        ):
            break
    return tables[:blocks]


def _check(field: int, table_size: int, blocks: int | None) -> None:
    if not MIN_TABLE <= table_size <= MAX_TABLE:
        raise ScheduleError(
            f"a table seats {MIN_TABLE} to {MAX_TABLE} entries, so its size cannot be {table_size}"
        )
    if field < table_size:
        raise ScheduleError(
            f"{field} {'entry' if field == 1 else 'entries'} cannot fill a table of {table_size}: "
            "enter more bots or choose smaller tables"
        )
    if blocks is not None and blocks < 1:
        raise ScheduleError(f"a schedule has at least 1 block, not {blocks}")
