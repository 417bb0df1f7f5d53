"""Ways to learn strengths from results: what counts as one thing to learn from, and how often.

`ByMatch` is the default; docs/9-ranking.md says how many matches each way takes to find the right
order. All take results in schedule order and give equal numbers for equal results.
"""

from collections.abc import Mapping
from copy import copy
from statistics import fmean
from typing import Final, Protocol, Self

from arena.rating.results import MatchResult
from arena.rating.strengths import Rater, Rating


class Learner(Protocol):
    """What has been learnt from some results, and can be from more."""

    @property
    def at_hand(self) -> bool:
        """Whether ratings are there after each match, or worked out anew whenever they are asked
        for, so that nobody can follow how they came about."""

    def learn(self, result: MatchResult) -> None:
        """Take in the next result of the schedule."""

    def new(self) -> Rating:
        """What is believed of an entry that has not played."""

    def ratings(self) -> Mapping[int, Rating]:
        """What is believed of all who have played."""

    def copy(self) -> Self:
        """The same, to learn other things."""

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Call the entries otherwise, which must keep their order."""


class ByMatch:
    """One update a match."""

    at_hand: Final = True

    def __init__(self, rater: Rater) -> None:
        self._rater = rater
        self._known: dict[int, Rating] = {}

    def new(self) -> Rating:
        """What is believed of an entry that has not played."""
        return self._rater.new()

    def learn(self, result: MatchResult) -> None:
        """Update all who played."""
        ranks = dict(zip(result.entries, result.ranks, strict=True))
        self._known |= self._rater.update(before(self._known, ranks, self._rater), ranks)

    def ratings(self) -> Mapping[int, Rating]:
        """What is believed of all who have played."""
        return self._known

    def copy(self) -> Self:
        """The same, to learn other things."""
        copied = copy(self)
        copied._known = dict(self._known)
        return copied

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Call the entries otherwise, which must keep their order."""
        self._known = {numbers[entry]: rating for entry, rating in self._known.items()}

    def resume(self, known: Mapping[int, Rating]) -> None:
        """Go on from what `ratings` gave."""
        self._known = dict(known)


class ByBlock:
    """One update a block, with ranks by block score: the sum of the ranks in its matches.

    A block that is not whole waits. A whole one is as certain as its matches together.
    """

    at_hand: Final = True

    def __init__(self, rater: Rater) -> None:
        self._rater = rater
        self._known: dict[int, Rating] = {}
        self._block: tuple[int, ...] = ()
        self._scores: dict[int, int] = {}
        self._matches = 0

    def new(self) -> Rating:
        """What is believed of an entry that has not played."""
        return self._rater.new()

    def learn(self, result: MatchResult) -> None:
        """Add to the block's scores; update all who played in it once it is whole."""
        if result.order[:-1] != self._block:
            self._block, self._scores, self._matches = result.order[:-1], {}, 0
        for entry, rank in zip(result.entries, result.ranks, strict=True):
            self._scores[entry] = self._scores.get(entry, 0) + rank
        self._matches += 1
        if self._matches == len(self._scores):
            scores = self._scores.values()
            ranks = {
                entry: 1 + sum(other < score for other in scores)
                for entry, score in self._scores.items()
            }
            self._known |= self._rater.update(
                before(self._known, ranks, self._rater), ranks, matches=self._matches
            )

    def ratings(self) -> Mapping[int, Rating]:
        """What is believed of all who have played whole blocks."""
        return self._known

    def copy(self) -> Self:
        """The same, to learn other things."""
        copied = copy(self)
        copied._known, copied._scores = dict(self._known), dict(self._scores)
        return copied

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Call the entries otherwise, which must keep their order."""
        self._known = {numbers[entry]: rating for entry, rating in self._known.items()}
        self._scores = {numbers[entry]: score for entry, score in self._scores.items()}


class Passes:
    """Passes over all matches until nothing changes: every match in the light of all others.

    Each pass takes from a rating what a match has said, and lets the match say it again
    (expectation propagation; TrueSkill Through Time for strengths that stay as they are). All
    passes start anew whenever ratings are asked for, which takes about three times as long as one
    update for each match.
    """

    at_hand: Final = False
    #: Passes end when no mu has moved by more, or after so many.
    SETTLED: Final = 0.001
    MOST: Final = 50

    def __init__(self, rater: Rater) -> None:
        self._rater = rater
        self._matches: list[dict[int, int]] = []

    def new(self) -> Rating:
        """What is believed of an entry that has not played."""
        return self._rater.new()

    def learn(self, result: MatchResult) -> None:
        """Keep it."""
        self._matches.append(dict(zip(result.entries, result.ranks, strict=True)))

    def ratings(self) -> Mapping[int, Rating]:
        """What is believed of all who have played, worked out now."""
        known: dict[int, Rating] = {}
        said: list[dict[int, _Message]] = [{} for _ in self._matches]
        for _ in range(self.MOST):
            moved = 0.0
            for ranks, messages in zip(self._matches, said, strict=True):
                now = before(known, ranks, self._rater)
                without = {e: _without(now[e], messages[e]) if messages else now[e] for e in ranks}
                for entry, after in self._rater.update(without, ranks).items():
                    messages[entry] = _said(without[entry], after)
                    moved = max(moved, abs(after.mu - now[entry].mu))
                    known[entry] = after
            if moved <= self.SETTLED:
                break
        return self._centred(known)

    def copy(self) -> Self:
        """The same, to learn other things."""
        copied = copy(self)
        copied._matches = list(self._matches)
        return copied

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Call the entries otherwise, which must keep their order."""
        self._matches = [
            {numbers[entry]: rank for entry, rank in ranks.items()} for ranks in self._matches
        ]

    def _centred(self, known: dict[int, Rating]) -> dict[int, Rating]:
        """Where more passes would end: results say nothing of all strengths together, so these
        stay as believed at first, but what moves all alike settles last."""
        if not known:
            return known
        shift = self.new().mu - fmean(rating.mu for rating in known.values())
        return {entry: Rating(one.mu + shift, one.sigma) for entry, one in known.items()}


#: Precision, and precision times mean.
_Message = tuple[float, float]


def _without(rating: Rating, message: _Message) -> Rating:
    """A rating as if what was said had not been said."""
    precision = rating.sigma**-2 - message[0]
    return Rating((rating.mu * rating.sigma**-2 - message[1]) / precision, precision**-0.5)


def _said(one: Rating, after: Rating) -> _Message:
    """What changed a rating into another."""
    was, now = one.sigma**-2, after.sigma**-2
    return now - was, after.mu * now - one.mu * was


def before(
    known: Mapping[int, Rating], ranks: Mapping[int, int], rater: Rater
) -> dict[int, Rating]:
    """What is believed of those who play, newcomers too."""
    return {entry: known.get(entry) or rater.new() for entry in ranks}
