"""Matches between entries whose strengths are known: strength, luck of the deal, and other chance.

In a match each entry performs as its strength, plus what its seat's cards are worth, plus chance of
its own. What the cards are worth is the same for whoever holds the seat in any match of a block,
as those have equal deals: this is the luck that duplicate play cancels. The sum of the two kinds
of chance has variance 1, so a strength of 1 is as much as an entry's chance in one match.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from arena.rating import MatchResult
from arena.schedule import Block


@dataclass(frozen=True, slots=True)
class World:
    """What kind of chance a game is at one table size."""

    #: The cards' share of all chance in a match, 0 to 1.
    luck: float
    #: How often two equally strong entries tie.
    draws: float = 0.0

    @property
    def grain(self) -> float:
        """Performances are points, whole multiples of this; equal points are ties."""
        # The chance that two normal numbers of variance 1 fall into one cell, if cells are small.
        return max(2 * math.sqrt(math.pi) * self.draws, 1e-6)


class Simulation:
    """A field that plays as often as it is asked; equal seeds give equal results."""

    def __init__(self, strengths: Sequence[float], world: World, seed: str) -> None:
        """Entry i has ``strengths[i]``; higher is stronger."""
        self.strengths = tuple(strengths)
        self.world = world
        self._seed = seed

    @property
    def right_order(self) -> tuple[int, ...]:
        """The entries from the strongest to the weakest."""
        return tuple(sorted(range(len(self.strengths)), key=lambda e: (-self.strengths[e], e)))

    def block(self, block: Block) -> list[MatchResult]:
        """The matches of a block, all on equal deals: a function of the seed and its index."""
        return self._played((block.index,), block.seatings())

    def match(self, place: int, seating: Sequence[int]) -> MatchResult:
        """One match on a deal of its own, the block ``place`` of one match."""
        return self._played((place,), [seating])[0]

    def _played(
        self, place: tuple[int, ...], seatings: Sequence[Sequence[int]]
    ) -> list[MatchResult]:
        chance = random.Random(f"{self._seed}|{place}")
        grain = self.world.grain
        cards, other = math.sqrt(self.world.luck), math.sqrt(1 - self.world.luck)
        deal = [cards * chance.gauss(0, 1) for _ in seatings[0]]
        played = []
        for rotation, seating in enumerate(seatings):
            shift = chance.random()
            # Points as in Claims: fewer are better.
            points = tuple(
                -math.floor(
                    (self.strengths[entry] + worth + other * chance.gauss(0, 1)) / grain + shift
                )
                for entry, worth in zip(seating, deal, strict=True)
            )
            ranks = tuple(1 + sum(one < mine for one in points) for mine in points)
            place_ = (*place, rotation)
            played.append(MatchResult(place_, tuple(seating), ranks, points, (0,) * len(points)))
        return played


def field_of(size: int, gap: float, seed: str, *, even: bool = True) -> tuple[float, ...]:
    """Strengths of a field, in random order: neighbours ``gap`` apart, exactly or on average.

    If not ``even``, gaps are between half and one and a half times as large as ``gap``.
    """
    chance = random.Random(f"{seed}|field")
    strengths = [0.0]
    for _ in range(size - 1):
        strengths.append(strengths[-1] + gap * (1 if even else chance.uniform(0.5, 1.5)))
    chance.shuffle(strengths)
    return tuple(strengths)
