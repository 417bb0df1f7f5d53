"""How ratings came about: what was believed at moments on the way, and how far it has moved since.

Between two moments a belief moves by chance alone, if nothing was wrong with it: what an entry will
be believed to be worth later lies around what it is believed to be worth now, with the variance
that is lost meanwhile, sigma² then less sigma² now. So a trend is called one only where mu moved
by more than twice the root of that. The score, mu - 3 sigma, would be no measure: it rises with
every match, since sigma falls.
"""

import math
from array import array
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from enum import Enum
from typing import Final, Self

from arena.rating.strengths import Rating

MOST: Final = 120
"""How many moments are remembered: with more every second one is forgotten."""

LATELY: Final = 4
"""A trend goes back by the newest one of so many parts of all matches."""

SURE: Final = 2.0
"""By how many standard deviations of chance a belief must have moved: less does so in 19 of 20."""


class Direction(Enum):
    """Where what is believed of an entry has moved."""

    UP = "up"
    """It is believed to be stronger."""
    DOWN = "down"
    """It is believed to be weaker."""
    SAME = "same"
    """It may be chance, or it has not moved at all."""
    NEW = "new"
    """The entry had not played by then."""


@dataclass(frozen=True, slots=True)
class Trend:
    """How an entry stands against an earlier moment."""

    direction: Direction
    #: Its rank by then among those who had played, and what was believed of it; None of a new one.
    rank: int | None = None
    rating: Rating | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """What was believed of everybody after so many matches."""

    matches: int
    #: By entry; sigma is 0 of those who had not played, nor had those missing at the end.
    mus: "array[float]"
    sigmas: "array[float]"

    @classmethod
    def of(cls, matches: int, ratings: Mapping[int, Rating]) -> Self:
        """Keep `ratings` as they are now."""
        mus = array("d", [0.0]) * (max(ratings, default=-1) + 1)
        sigmas = mus[:]
        for entry, rating in ratings.items():
            mus[entry], sigmas[entry] = rating.mu, rating.sigma
        return cls(matches, mus, sigmas)

    def rating(self, entry: int) -> Rating | None:
        """What was believed of an entry; None if it had not played."""
        if entry >= len(self.sigmas) or not self.sigmas[entry]:
            return None
        return Rating(self.mus[entry], self.sigmas[entry])

    def ranks(self) -> dict[int, int]:
        """The ranks of those who had played, from 1; equal scores share one."""
        scores = {
            entry: Rating(mu, sigma).score
            for entry, (mu, sigma) in enumerate(zip(self.mus, self.sigmas, strict=True))
            if sigma
        }
        ranks: dict[float, int] = {}
        for rank, score in enumerate(sorted(scores.values(), reverse=True), start=1):
            ranks.setdefault(score, rank)
        return {entry: ranks[score] for entry, score in scores.items()}

    def renumbered(self, numbers: Mapping[int, int]) -> Self:
        """The same where the entries are called otherwise."""
        ratings = {
            numbers[entry]: Rating(mu, sigma)
            for entry, (mu, sigma) in enumerate(zip(self.mus, self.sigmas, strict=True))
            if sigma
        }
        return self.of(self.matches, ratings)


class Moments:
    """What was believed after so many matches, as evenly spread as `MOST` of them can be.

    The same ones, however often and when anybody looks.
    """

    def __init__(self) -> None:
        self._kept: list[Moment] = []
        self._matches = 0
        #: How many matches there are from one moment to the next.
        self._step = 1

    def note(self, ratings: Mapping[int, Rating]) -> None:
        """Another match was learnt from, and this is believed now of all who have played."""
        self._matches += 1
        if self._matches % self._step:
            return
        self._kept.append(Moment.of(self._matches, ratings))
        if len(self._kept) > MOST:
            self._step *= 2
            self._kept = [moment for moment in self._kept if not moment.matches % self._step]

    def copy(self) -> Self:
        """The same, to go on in another way."""
        copied = copy(self)
        copied._kept = list(self._kept)
        return copied

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Call the entries otherwise."""
        self._kept = [moment.renumbered(numbers) for moment in self._kept]

    def columns(self) -> dict[str, "array[int] | array[float]"]:
        """All of it: from it `resume` goes on."""
        mus, sigmas = array("d"), array("d")
        for moment in self._kept:
            mus.extend(moment.mus)
            sigmas.extend(moment.sigmas)
        return {
            "moments": array("q", (self._matches, self._step)),
            "moment_matches": array("q", (moment.matches for moment in self._kept)),
            "moment_sizes": array("q", (len(moment.mus) for moment in self._kept)),
            "moment_mus": mus,
            "moment_sigmas": sigmas,
        }

    def resume(self, columns: Mapping[str, "array[int] | array[float]"]) -> None:
        """Go on from what `columns` gave."""
        self._matches, self._step = map(int, columns["moments"])
        self._kept, start = [], 0
        for matches, size in zip(columns["moment_matches"], columns["moment_sizes"], strict=True):
            end = start + int(size)
            mus, sigmas = columns["moment_mus"][start:end], columns["moment_sigmas"][start:end]
            self._kept.append(Moment(int(matches), array("d", mus), array("d", sigmas)))
            start = end

    def all(self, ratings: Mapping[int, Rating]) -> tuple[Moment, ...]:
        """All that are kept and the newest one, of which this is believed."""
        if self._matches and (not self._kept or self._kept[-1].matches < self._matches):
            return (*self._kept, Moment.of(self._matches, ratings))
        return tuple(self._kept)

    def before(self) -> Moment | None:
        """The moment to which trends go back; None where there was nothing yet."""
        until = self._matches - self._matches / LATELY
        return next((one for one in reversed(self._kept) if one.matches <= until), None)


def trends(before: Moment | None, ratings: Mapping[int, Rating]) -> dict[int, Trend]:
    """How everybody in `ratings`, who has played, stands against an earlier moment."""
    if before is None:
        return dict.fromkeys(ratings, Trend(Direction.NEW))
    ranks = before.ranks()
    return {
        entry: _trend(ranks.get(entry), before.rating(entry), now) for entry, now in ratings.items()
    }


def _trend(rank: int | None, then: Rating | None, now: Rating) -> Trend:
    if then is None:
        return Trend(Direction.NEW)
    moved, learnt = now.mu - then.mu, then.sigma**2 - now.sigma**2
    # At sigma's floor nothing more is learnt.
    if learnt <= 0 or abs(moved) <= SURE * math.sqrt(learnt):
        return Trend(Direction.SAME, rank, then)
    return Trend(Direction.UP if moved > 0 else Direction.DOWN, rank, then)
