"""The order of a cycle's tables, such that a run that stops on the way is nearly balanced too."""

import heapq
from collections.abc import Sequence

from arena.schedule.ring import Base, Ring, Table

#: How unevenly entries have played and met along a row of tables: at worst, and on the whole.
Roughness = tuple[int, int]


def in_order(ring: Ring, levels: Sequence[int], base: Base) -> tuple[list[Table], Roughness]:
    """The cycle of a base, begun at some levels, and how uneven it gets on the way.

    Next comes always the table whose entries have played and met least, altogether. That only
    grows, so the heap may hold old weights: what comes up is weighed again.
    """
    tables = ring.turned(base.table)
    tally = _Tally(ring, levels, base)
    waiting = [(0, number) for number in range(len(tables))]
    row = []
    worst = total = 0
    while waiting:
        _, number = heapq.heappop(waiting)
        now = (tally.weight(tables[number]), number)
        if waiting and now > waiting[0]:
            heapq.heappush(waiting, now)
            continue
        row.append(tables[number])
        tally.add(tables[number])
        uneven = tally.spread()
        worst = max(worst, uneven)
        total += uneven * uneven
    return row, (worst, total)


class _Tally:
    """How often entries have played and pairs have met since a cycle began."""

    def __init__(self, ring: Ring, levels: Sequence[int], base: Base) -> None:
        self._field = ring.field
        self._played = [0] * ring.field
        self._of_played = _Histogram([ring.field])
        self._met: list[int] = []
        self._of_met = _Histogram([0])
        least = min(levels[1:])
        above = [level - least for level in levels]
        # If no pair meets twice in the cycle, no order is better for the pairs: none is counted.
        if max(base.rises) > 1:
            row = [above[distance] for distance in ring.apart]
            for entry in range(ring.field):
                self._met += row[-entry:] + row[:-entry]
            pairs = [0] * (max(above) + 1)
            for level, rise in zip(above[1:], ring.rise[1:], strict=True):
                pairs[level] += ring.field // rise
            self._of_met = _Histogram(pairs)

    def weight(self, table: Table) -> int:
        """How often the entries of a table have played and met already, altogether."""
        played, met = self._played, self._met
        total = sum([played[entry] for entry in table])
        if met:
            for number, entry in enumerate(table):
                row = entry * self._field
                total += sum([met[row + other] for other in table[:number]])
        return total

    def add(self, table: Table) -> None:
        """Count a table."""
        played, met, field = self._played, self._met, self._field
        for number, entry in enumerate(table):
            self._of_played.raise_from(played[entry])
            played[entry] += 1
            if met:
                for other in table[:number]:
                    count = met[entry * field + other]
                    self._of_met.raise_from(count)
                    met[entry * field + other] = met[other * field + entry] = count + 1

    def spread(self) -> int:
        """How uneven it is now: the spread of tables an entry and that of meetings a pair."""
        return self._of_played.spread() + self._of_met.spread()


class _Histogram:
    """How many things have been counted 0, 1, 2, ... times."""

    __slots__ = ("_least", "_of")

    def __init__(self, of: list[int]) -> None:
        self._of = of
        self._least = 0

    def raise_from(self, count: int) -> None:
        """One thing counted `count` times is counted once more."""
        of = self._of
        of[count] -= 1
        if count + 1 == len(of):
            of.append(0)
        of[count + 1] += 1
        while not of[self._least]:
            self._least += 1

    def spread(self) -> int:
        """The difference between the largest count and the smallest."""
        return len(self._of) - 1 - self._least
