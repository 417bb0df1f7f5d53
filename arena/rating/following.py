"""What is remembered of how ratings came about, match by match."""

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from arena.rating.moments import Moments
from arena.rating.paths import Paths
from arena.rating.strengths import Rating


@dataclass(frozen=True, slots=True)
class Following:
    """Everybody at some moments, and each over the matches of its own."""

    moments: Moments = field(default_factory=Moments)
    paths: Paths = field(default_factory=Paths)

    def note(self, entries: Iterable[int], ratings: Mapping[int, Rating]) -> None:
        """These have played another match, and this is believed now of all who have played."""
        self.moments.note(ratings)
        self.paths.note(entries, ratings)

    def copy(self) -> Self:
        """The same, to go on in another way."""
        return type(self)(self.moments.copy(), self.paths.copy())

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Call the entries otherwise."""
        self.moments.renumber(numbers)
        self.paths.renumber(numbers)

    def columns(self) -> dict[str, "array[int] | array[float]"]:
        """All of it: from it `resume` goes on."""
        return self.moments.columns() | self.paths.columns()

    def resume(self, columns: Mapping[str, "array[int] | array[float]"]) -> None:
        """Go on from what `columns` gave."""
        self.moments.resume(columns)
        self.paths.resume(columns)
