"""Standings: the rating of every entry, and beside it what can be counted."""

from array import array
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Final

from arena.rating.following import Following
from arena.rating.learning import ByMatch, Learner
from arena.rating.moments import Moment, Trend, trends
from arena.rating.paths import Paths
from arena.rating.results import MatchResult, RatingError
from arena.rating.strengths import Rating
from arena.rating.trueskill import TrueSkillRater


@dataclass(frozen=True, slots=True)
class Standing:
    """One entry's place."""

    #: From 1; equal scores share a rank, and the next is skipped.
    rank: int
    entry: int
    rating: Rating
    matches: int
    #: Matches with rank 1. A shared win is a whole win for each, as in the rules (RULINGS X11), so
    #: all wins together can be more than all matches.
    wins: int
    #: 0 without matches, like the mean points.
    mean_rank: float
    mean_points: float
    faults: int
    #: How it stands against an earlier moment; None where nobody followed it, or without matches.
    trend: Trend | None = None

    @property
    def score(self) -> float:
        """What the ranking goes by: mu - 3 sigma."""
        return self.rating.score

    @property
    def mu(self) -> float:
        """The strength believed."""
        return self.rating.mu

    @property
    def sigma(self) -> float:
        """How uncertain that is."""
        return self.rating.sigma


class Ladder:
    """Standings that grow with results, without going through old ones again.

    Results go in in schedule order; a rating extended so is bit-equal to one worked out anew.
    """

    def __init__(self, *, entries: Iterable[int] = (), learner: Learner | None = None) -> None:
        """`entries` stand in it from the start; `learner` must not have learnt anything yet."""
        self._learner = learner or ByMatch(TrueSkillRater())
        self._counts = {entry: _Count() for entry in entries}
        self._followed = Following() if self._learner.at_hand else None
        self._last: tuple[int, ...] | None = None

    def extend(self, results: Iterable[MatchResult]) -> None:
        """Take in results that come after all before them in the schedule, in any order.

        Raises RatingError, and takes in none of them, if their places are not all new and later.
        """
        ordered = sorted(results, key=attrgetter("order"))
        places = [result.order for result in ordered]
        if self._last is not None:
            places.insert(0, self._last)
        for one, other in pairwise(places):
            if one == other:
                raise RatingError(f"two results have the same place in the schedule, {one}")
            if one > other:
                raise RatingError(f"the result {other} comes too late: {one} is taken in already")
        for result in ordered:
            self._learner.learn(result)
            if self._followed is not None:
                self._followed.note(result.entries, self._learner.ratings())
            for seat, entry in enumerate(result.entries):
                self._counts.setdefault(entry, _Count()).add(result, seat)
        if places:
            self._last = places[-1]

    def copy(self) -> "Ladder":
        """The same, to grow in another way."""
        copied = copy(self)
        copied._learner = self._learner.copy()
        copied._followed = None if self._followed is None else self._followed.copy()
        copied._counts = {entry: copy(count) for entry, count in self._counts.items()}
        return copied

    def renumber(self, numbers: Mapping[int, int], entries: Iterable[int]) -> None:
        """Call the entries otherwise, which must keep their order, and let others join them."""
        self._learner.renumber(numbers)
        if self._followed is not None:
            self._followed.renumber(numbers)
        counts = {numbers[entry]: count for entry, count in self._counts.items()}
        self._counts = {entry: counts.get(entry) or _Count() for entry in entries}

    def columns(self) -> dict[str, "array[int] | array[float]"]:
        """All that is known of everybody, by number: from it `resume` goes on."""
        known = self._learner.ratings()
        ratings = [known.get(entry) or self._learner.new() for entry in sorted(self._counts)]
        counts = [self._counts[entry] for entry in sorted(self._counts)]
        return {
            "mu": array("d", (rating.mu for rating in ratings)),
            "sigma": array("d", (rating.sigma for rating in ratings)),
            **{name: array("q", map(attrgetter(name), counts)) for name in COUNTS},
            **({} if self._followed is None else self._followed.columns()),
        }

    def resume(
        self, columns: Mapping[str, "array[int] | array[float]"], last: tuple[int, ...] | None
    ) -> None:
        """Go on from what `columns` gave, with no results taken in yet, after the place `last`.

        Only what learns match by match can; raises RatingError for others.
        """
        if not isinstance(self._learner, ByMatch):
            raise RatingError("only ratings that are made match by match can be resumed")
        if self._followed is not None:
            self._followed.resume(columns)
        counts = zip(*(columns[name] for name in COUNTS), strict=True)
        self._counts = {entry: _Count(*map(int, told)) for entry, told in enumerate(counts)}
        ratings = map(Rating, columns["mu"], columns["sigma"])
        self._learner.resume(
            {entry: rating for entry, rating in enumerate(ratings) if self._counts[entry].matches}
        )
        self._last = last

    @property
    def last(self) -> tuple[int, ...] | None:
        """The place in the schedule of the last result that was taken in."""
        return self._last

    def standings(self) -> tuple[Standing, ...]:
        """Everybody, the best score first, equal ones by number."""
        known = self._learner.ratings()
        moved = {} if self._followed is None else trends(self._followed.moments.before(), known)
        ratings = {entry: known.get(entry) or self._learner.new() for entry in self._counts}
        best_first = sorted(ratings, key=lambda entry: (-ratings[entry].score, entry))
        ranks: dict[float, int] = {}
        for rank, entry in enumerate(best_first, start=1):
            ranks.setdefault(ratings[entry].score, rank)
        return tuple(
            self._counts[entry].standing(
                ranks[ratings[entry].score], entry, ratings[entry], moved.get(entry)
            )
            for entry in best_first
        )

    def moments(self) -> tuple[Moment, ...]:
        """How ratings came about, the newest moment last; none where nobody followed it."""
        if self._followed is None:
            return ()
        return self._followed.moments.all(self._learner.ratings())

    def paths(self) -> Paths:
        """How each rating came about over matches of its own; empty where nobody followed it."""
        return Paths() if self._followed is None else self._followed.paths.copy()


def standings(
    results: Iterable[MatchResult],
    *,
    entries: Iterable[int] = (),
    learner: Learner | None = None,
) -> tuple[Standing, ...]:
    """Rank everybody in `results` and `entries`, the best score first, equal ones by number.

    Results may come in any order: they are taken in that of the schedule.

    Raises RatingError if two results have the same place in the schedule.
    """
    ladder = Ladder(entries=entries, learner=learner)
    ladder.extend(results)
    return ladder.standings()


COUNTS: Final = ("matches", "wins", "ranks", "points", "faults")
"""What is counted of everybody."""


@dataclass(slots=True)
class _Count:
    matches: int = 0
    wins: int = 0
    ranks: int = 0
    points: int = 0
    faults: int = 0

    def add(self, result: MatchResult, seat: int) -> None:
        self.matches += 1
        self.wins += result.ranks[seat] == 1
        self.ranks += result.ranks[seat]
        self.points += result.points[seat]
        self.faults += result.faults[seat]

    def standing(self, rank: int, entry: int, rating: Rating, trend: Trend | None) -> Standing:
        return Standing(
            rank=rank,
            entry=entry,
            rating=rating,
            matches=self.matches,
            wins=self.wins,
            mean_rank=self.ranks / self.matches if self.matches else 0.0,
            mean_points=self.points / self.matches if self.matches else 0.0,
            faults=self.faults,
            trend=trend,
        )
