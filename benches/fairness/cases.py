"""The fields of the benches: simulated ones of several sizes, and the sample bots'."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.rating import MatchResult
from benches.fairness.bots import APART, pool
from benches.fairness.replayed import Replayed
from benches.fairness.ways import Field
from benches.fairness.worlds import Simulation, World, field_of

#: Where matches of the sample bots are kept.
POOLS = Path(".cache/fairness")
#: So many blocks of each field of sample bots.
BLOCKS = 120


@dataclass(frozen=True, slots=True)
class Case:
    """A simulated field."""

    bots: int
    seats: int
    #: How far apart neighbours are on average, in standard deviations of one match's chance.
    gap: float
    #: How many matches at most.
    most: int
    #: The cards' share of all chance, and how often equals tie: as measured in Claims and Claim!.
    luck: float = 0.1
    draws: float = 0.005

    def __str__(self) -> str:
        chance = "" if self.luck == 0.1 else ", as in Claro"
        return f"{self.bots} bots, tables of {self.seats}, {self.gap} apart{chance}"

    def prepare(self) -> None:
        """Nothing is to be done beforehand."""

    def field(self, seed: str) -> Field:
        """The field of one run."""
        strengths = field_of(self.bots, self.gap, seed, even=False)
        return Simulation(strengths, World(self.luck, self.draws), seed)


@dataclass(frozen=True, slots=True)
class Played:
    """A field of sample bots and variants of them."""

    game: str
    seats: int
    most: int
    draws: float

    def __str__(self) -> str:
        return f"{self.game}, sample bots, tables of {self.seats}"

    def prepare(self) -> None:
        """Play what has not been played yet."""
        _blocks(self.game, self.seats)

    def field(self, seed: str) -> Field:
        """The field of one run: the same bots, other matches."""
        return Replayed(_blocks(self.game, self.seats), seed)


@cache
def _blocks(game: str, seats: int) -> list[list[MatchResult]]:
    return pool(game, APART[game], seats, BLOCKS, POOLS)


#: Close and spread fields of several sizes.
CASES = (
    Case(4, 2, 0.3, 1500),
    Case(4, 4, 0.2, 2000),
    Case(4, 4, 0.4, 800),
    Case(8, 4, 0.3, 3000),
    Case(8, 4, 0.6, 1500),
    Case(8, 4, 0.6, 1500, luck=0.4, draws=0.15),
    Case(16, 4, 0.6, 2500),
)
LARGE = (Case(16, 4, 0.3, 6000), Case(8, 8, 0.3, 3000))
PLAYED = (
    Played("claims", 4, 1000, 0.005),
    Played("claim", 4, 1000, 0.001),
    Played("claro", 3, 3000, 0.12),
)


def number(found: int | None, most: int) -> str:
    """How a number of matches is printed."""
    return f"> {most}" if found is None else str(found)
