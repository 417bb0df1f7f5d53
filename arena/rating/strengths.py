"""What is believed of an entry's strength, and what a way to learn it must offer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong an entry is believed to be: a normal distribution."""

    mu: float
    sigma: float

    @property
    def score(self) -> float:
        """What rankings go by: a strength that the entry almost surely has, mu - 3 sigma."""
        return self.mu - 3 * self.sigma


class Rater(Protocol):
    """How to change what is believed after a match."""

    def new(self) -> Rating:
        """What is believed of an entry that has not played."""

    def update(
        self, before: Mapping[int, Rating], ranks: Mapping[int, int], *, matches: float = 1
    ) -> dict[int, Rating]:
        """What is believed of the entries in `ranks` after a match that ended so.

        Lower ranks are better, equal ones are ties. The order of the mappings must not matter. The
        ranks may also sum several matches up, and are then as certain as `matches` of them.
        """
