"""Standings: the rating of every entry, and beside it what can be counted."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter

from arena.rating.results import MatchResult, RatingError
from arena.rating.strengths import Rater, Rating
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


def standings(
    results: Iterable[MatchResult],
    *,
    entries: Iterable[int] = (),
    rater: Rater | None = None,
) -> tuple[Standing, ...]:
    """Rank everybody in `results` and `entries`, the best score first, equal ones by number.

    Results may come in any order: they are taken in that of the schedule.

    Raises RatingError if two results have the same place in the schedule.
    """
    rater = rater or TrueSkillRater()
    accounts = {entry: _Account(rater.new()) for entry in entries}
    for result in _in_order(results):
        for entry in result.entries:
            if entry not in accounts:
                accounts[entry] = _Account(rater.new())
        _count(accounts, result, rater)
    best_first = sorted(accounts, key=lambda entry: (-accounts[entry].rating.score, entry))
    ranks: dict[float, int] = {}
    for rank, entry in enumerate(best_first, start=1):
        ranks.setdefault(accounts[entry].rating.score, rank)
    return tuple(
        accounts[entry].standing(ranks[accounts[entry].rating.score], entry) for entry in best_first
    )


@dataclass(slots=True)
class _Account:
    rating: Rating
    ranks: list[int] = field(default_factory=list)
    points: int = 0
    faults: int = 0

    def standing(self, rank: int, entry: int) -> Standing:
        matches = len(self.ranks)
        return Standing(
            rank=rank,
            entry=entry,
            rating=self.rating,
            matches=matches,
            wins=self.ranks.count(1),
            mean_rank=sum(self.ranks) / matches if matches else 0.0,
            mean_points=self.points / matches if matches else 0.0,
            faults=self.faults,
        )


def _in_order(results: Iterable[MatchResult]) -> list[MatchResult]:
    ordered = sorted(results, key=attrgetter("order"))
    for one, other in pairwise(ordered):
        if one.order == other.order:
            raise RatingError(f"two results have the same place in the schedule, {one.order}")
    return ordered


def _count(accounts: dict[int, _Account], result: MatchResult, rater: Rater) -> None:
    ranks = dict(zip(result.entries, result.ranks, strict=True))
    before = {entry: accounts[entry].rating for entry in ranks}
    for entry, rating in rater.update(before, ranks).items():
        accounts[entry].rating = rating
    for seat, entry in enumerate(result.entries):
        account = accounts[entry]
        account.ranks.append(result.ranks[seat])
        account.points += result.points[seat]
        account.faults += result.faults[seat]
