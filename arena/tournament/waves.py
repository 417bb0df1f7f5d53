"""An adaptive tournament: the next blocks from the results so far, until the order is proven.

Nothing here knows who plays or where results are kept: a simulation can run it as well as a store.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from arena.rating import Evidence, MatchResult, Separation, check_confidence, separate
from arena.schedule import Block, Gap, first_wave, next_wave


class Waves:
    """Grows a schedule wave by wave.

    Equal seeds, results and withdrawals give equal waves, whether results are added wave by wave or
    all at once.
    """

    def __init__(
        self,
        entries: int,
        table_size: int,
        *,
        most: int,
        confidence: float,
        seed: bytes,
        withdrawn: Collection[int] = (),
    ) -> None:
        """For entries 0..entries-1 and at most `most` blocks; `seed` draws the first wave.

        Who is `withdrawn` sits in no later wave, and in no order.
        Raises RatingError for a confidence that is none.
        """
        check_confidence(confidence)
        self._entries = entries
        self._table_size = table_size
        self._most = most
        self._confidence = confidence
        self._seed = seed
        self._withdrawn = frozenset(withdrawn)
        self._past: list[Block] = []
        self._evidence = Evidence(entries)

    def add(self, blocks: Iterable[Block], results: Iterable[MatchResult]) -> None:
        """Take in the blocks that come next in the schedule, and all results of them that count.

        A block without results was given up. Raises RatingError if one has some but not all.
        """
        self._past += blocks
        self._evidence.add(results)

    def separation(self) -> Separation:
        """The order so far of those who still play, and what of it is proven."""
        return separate(self._evidence, self._confidence, without=self._withdrawn)

    def next(self) -> Sequence[Block]:
        """The next wave; empty if the order is proven or no more blocks may be played.

        Raises ScheduleError.
        """
        if not self._past:
            return first_wave(self._entries, self._table_size, most=self._most, seed=self._seed)
        found = self.separation()
        most = self._most - len(self._past)
        if found.clear or most <= 0:
            return ()
        gaps = [
            Gap(self._meetings(pair.better, pair.worse), pair.doubt) for pair in found.neighbours
        ]
        return next_wave(self._past, found.order, gaps, most=most)

    def _meetings(self, one: int, other: int) -> int:
        """In how many blocks two meet, given up or not.

        Else a pair whose blocks are given up would seem never to have met, and get all others, too.
        """
        return sum(one in block.order and other in block.order for block in self._past)
