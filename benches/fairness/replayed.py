"""A field whose matches were played before: runs draw from them as often as they like."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from arena.rating import MatchResult
from arena.schedule import Block


class Replayed:
    """Each match or block asked for is one of those that the same entries have played, drawn by
    chance; equal seeds draw equally."""

    def __init__(self, blocks: Sequence[Sequence[MatchResult]], seed: str) -> None:
        """``blocks`` are whole ones, of every table that will be asked for."""
        self._seed = seed
        self._played: dict[frozenset[int], list[Sequence[MatchResult]]] = defaultdict(list)
        ranks: dict[int, list[float]] = defaultdict(list)
        for block in blocks:
            self._played[frozenset(block[0].entries)].append(block)
            for match in block:
                for entry, rank in zip(match.entries, match.ranks, strict=True):
                    ranks[entry].append(rank)
        #: By mean rank in all matches.
        self.right_order = tuple(sorted(ranks, key=lambda entry: fmean(ranks[entry])))

    def block(self, block: Block) -> list[MatchResult]:
        """A block of that table."""
        drawn = self._draw(block.index, block.order)
        return [
            replace(match, order=(block.index, rotation)) for rotation, match in enumerate(drawn)
        ]

    def match(self, place: int, seating: tuple[int, ...]) -> MatchResult:
        """A match of any block of that table; everyone sits anywhere equally often."""
        drawn = self._draw(place, seating)
        chance = random.Random(f"{self._seed}|match|{place}")
        return replace(chance.choice(drawn), order=(place, 0))

    def _draw(self, place: int, table: Sequence[int]) -> Sequence[MatchResult]:
        chance = random.Random(f"{self._seed}|{place}")
        return chance.choice(self._played[frozenset(table)])
