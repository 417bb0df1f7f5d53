"""Standings: the rating of every entry, and beside it what can be counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from arena.rating.trueskill import Rater, Rating, TrueSkillRater


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How one match came out; lists go by seat."""

    #: Who sat there, by a number of the caller's.
    entries: tuple[int, ...]
    #: From 1, equal seats share one.
    ranks: tuple[int, ...]
    #: The game's own count at the end: points, or stars.
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """One entry's place."""

    #: From 1; equal scores share a rank and the next is skipped.
    rank: int
    entry: int
    rating: Rating
    matches: int
    #: Matches with rank 1, shared ones included whole.
    wins: int
    mean_rank: float
    mean_points: float

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


@dataclass(slots=True)
class _Account:
    rating: Rating
    ranks: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)


def standings(
    results: Iterable[MatchResult],
    *,
    entries: Iterable[int] = (),
    rater: Rater | None = None,
) -> tuple[Standing, ...]:
    """Rank everybody in ``results`` and ``entries``, the best first.

    Results must come in schedule order: ratings depend on their order, which must not be that of
    arrival.  Entries of equal score stand in the order of their numbers.
    """
    rater = rater or TrueSkillRater()
    accounts = {entry: _Account(rater.new()) for entry in entries}
    for result in results:
        for entry in result.entries:
            accounts.setdefault(entry, _Account(rater.new()))
        _count(accounts, result, rater)
    ordered = sorted(accounts, key=lambda entry: (-accounts[entry].rating.score, entry))
    scores = [accounts[entry].rating.score for entry in ordered]
    return tuple(
        _standing(scores.index(accounts[entry].rating.score) + 1, entry, accounts[entry])
        for entry in ordered
    )


def _count(accounts: dict[int, _Account], result: MatchResult, rater: Rater) -> None:
    ranks = dict(zip(result.entries, result.ranks, strict=True))
    before = {entry: accounts[entry].rating for entry in ranks}
    for entry, rating in rater.update(before, ranks).items():
        accounts[entry].rating = rating
    for entry, rank, points in zip(result.entries, result.ranks, result.points, strict=True):
        accounts[entry].ranks.append(rank)
        accounts[entry].points.append(points)


def _standing(rank: int, entry: int, account: _Account) -> Standing:
    matches = len(account.ranks)
    return Standing(
        rank=rank,
        entry=entry,
        rating=account.rating,
        matches=matches,
        wins=account.ranks.count(1),
        mean_rank=sum(account.ranks) / matches if matches else 0.0,
        mean_points=sum(account.points) / matches if matches else 0.0,
    )
