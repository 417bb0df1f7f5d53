"""A schedule that looks at results: its next blocks are played where the order is least certain.

It grows by waves. A wave depends on the seed and on what all blocks before it have shown, never on
how far a wave has come or on what arrives first: so it is the same however often a tournament is
stopped on its way.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.schedule.blocks import Block
from arena.schedule.following import Following
from arena.schedule.planning import plan

#: In how many blocks each entry plays before anybody looks.
FIRST_BLOCKS = 3
#: A wave is a part of what has been played before, so that there are never many of them: between
#: two waves workers wait for the last match.
GROWTH = 10
#: An order that is not proven counts as so much in doubt at least. Else two equal entries would get
#: nearly all blocks, and others would wait for the little that their proof still needs.
LEAST_DOUBT = 0.1


@dataclass(frozen=True, slots=True)
class Gap:
    """What is known of two who follow each other in the order of the field."""

    #: In how many blocks of the past they meet, whatever came of them.
    blocks: int
    #: The chance that they are the wrong way round; 0 if they need not meet again.
    doubt: float


def first_wave(field: int, table_size: int, *, most: int, seed: bytes) -> tuple[Block, ...]:
    """The beginning of the fixed schedule: as far as tables lead from everyone to everyone.

    Of at most `most` blocks, even if they don't. Raises ScheduleError.
    """
    blocks = -(-FIRST_BLOCKS * field // table_size)
    while True:
        wave = plan(field, table_size, blocks=min(blocks, most), seed=seed).blocks
        if blocks >= most or _connected(field, wave):
            return wave
        blocks += 1


def next_wave(
    past: Sequence[Block], order: Sequence[int], gaps: Sequence[Gap], *, most: int
) -> tuple[Block, ...]:
    """Some blocks that go on from those of the past, at most `most` of them.

    `order` is who of the field still plays, the best first, and `gaps[k]` what is known of order[k]
    and order[k + 1]. Fewer than fill a table get none.
    """
    size = len(past[0].order)
    if len(order) < size:
        return ()
    field = 1 + max(*order, *(max(block.order) for block in past))
    following = Following(field, size)
    for block in past:
        following.add(block)
    tables = _Tables(order, gaps, size)
    blocks = max(-(-len(order) // size), len(past) // GROWTH)
    return tuple(
        Block(index, following.order(tables.take()))
        for index in range(len(past), len(past) + min(most, blocks))
    )


class _Tables:
    """Fills one table after the other with neighbours that are to be told apart.

    A table's seats go where each is of most use: to two in doubt who have met seldom. As a meeting
    lowers that, all who are in doubt get their turns, in proportion to the doubt.
    """

    def __init__(self, order: Sequence[int], gaps: Sequence[Gap], size: int) -> None:
        self._order = order
        self._size = size
        self._doubts = [max(gap.doubt, LEAST_DOUBT) if gap.doubt else 0.0 for gap in gaps]
        self._blocks = [gap.blocks for gap in gaps]

    def take(self) -> tuple[int, ...]:
        """The entries of the next table, in ascending order."""
        places: set[int] = set()
        while len(places) < self._size:
            places |= self._joining(places)
        for gap in _gaps(places):
            self._blocks[gap] += 1
        return tuple(sorted(self._order[place] for place in places))

    def _joining(self, places: set[int]) -> set[int]:
        """Who joins those at the table: one beside them, or two neighbours."""
        best, use = {self._nearest(places)}, 0.0
        for gap in range(len(self._doubts)):
            new = {gap, gap + 1} - places
            if not new or len(places) + len(new) > self._size:
                continue
            for_each = sum(map(self._use, _gaps(places | new) - _gaps(places))) / len(new)
            if for_each > use:
                best, use = new, for_each
        return best

    def _use(self, gap: int) -> float:
        return self._doubts[gap] / (1 + self._blocks[gap])

    def _nearest(self, places: set[int]) -> int:
        """Who fills a seat where nobody is in doubt: one from near by, as others tell less."""
        free = [place for place in range(len(self._order)) if place not in places]
        return min(free, key=lambda place: min((abs(place - at) for at in places), default=0))


def _gaps(places: set[int]) -> set[int]:
    """The gaps, each named by its upper place, of which both sides are at the table."""
    return {place for place in places if place + 1 in places}


def _connected(field: int, blocks: Sequence[Block]) -> bool:
    groups = [{entry} for entry in range(field)]
    for block in blocks:
        met = [group for group in groups if not group.isdisjoint(block.order)]
        groups = [group for group in groups if group.isdisjoint(block.order)]
        groups.append(set().union(*met))
    return len(groups) == 1
