"""How ratings came about: what each was after so many matches."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.app import raters
from arena.app.results import as_rated
from arena.app.table import versions_of
from arena.rating import Learner
from arena.store import BotVersion, Store, Tournament
from arena.store.rated import Extent

MOST_POINTS: Final = 120
"""Of how many moments a history tells: with more every second one is forgotten."""

_MOST_KEPT: Final = 20
"""How many histories are kept to grow."""


@dataclass(frozen=True, slots=True)
class Point:
    """All ratings at one moment."""

    #: How many matches were rated until then.
    matches: int
    #: In the order of the history's versions.
    scores: Sequence[float]


@dataclass(frozen=True, slots=True)
class History:
    """Ratings from the first match on, over all blocks that are settled."""

    versions: tuple[BotVersion, ...]
    points: tuple[Point, ...]


class Histories:
    """Histories that are kept and grow: only results that are new are read and rated.

    Only of blocks in which every match is done or given up, whose results stay as they are. Not for
    several threads at once.
    """

    def __init__(self, store: Store) -> None:
        """Tell of what `store` has."""
        self._store = store
        self._kept: OrderedDict[str | int, _Growing] = OrderedDict()

    def tournament(self, tournament: Tournament) -> History:
        """The history of a tournament."""
        return self._look(tournament.id, tournament.game, [tournament])

    def game(self, game: str) -> History:
        """The history of all public tournaments of a game, one after the other."""
        played = [each for each in self._store.tournaments(game) if not each.private]
        return self._look(game, game, played)

    def _look(self, key: str | int, game: str, played: Sequence[Tournament]) -> History:
        kept = self._kept.pop(key, None)
        if kept is None or not kept.fits(self._store, played):
            kept = _Growing(game, played)
        self._kept[key] = kept
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        kept.grow(self._store, played)
        return History(kept.versions, tuple(kept.points))


class _Growing:
    """One history; a tournament's place is where it stands among all that are told of."""

    def __init__(self, game: str, played: Sequence[Tournament]) -> None:
        self.versions = tuple(versions_of(played))
        self.points: list[Point] = []
        self._numbers = {version.id: number for number, version in enumerate(self.versions)}
        self._learner: Learner = raters.learner(game)
        self._told = [(each.id, each.entries) for each in played]
        #: How much there was of the tournaments that are told to their end.
        self._ended: dict[int, Extent] = {}
        self._place = self._block = self._matches = 0
        #: How many matches there are from one point to the next.
        self._step = 1

    def fits(self, store: Store, played: Sequence[Tournament]) -> bool:
        """Whether it can grow into that of these tournaments."""
        same = self._told == [(each.id, each.entries) for each in played]
        return same and store.rated.extents(self._ended) == self._ended

    def grow(self, store: Store, played: Sequence[Tournament]) -> None:
        """Take in what is settled since."""
        while self._place < len(played):
            tournament = played[self._place]
            last = self._place == len(played) - 1
            if not last:
                # Before its results: those that come in between are missed the next time.
                self._ended |= store.rated.extents([tournament.id])
            latest = store.rated.latest(tournament.id, self._block)
            numbers = [self._numbers[entry.version.id] for entry in tournament.entries]
            for result in latest.results:
                # Of those before the last one all that there is: a later one comes after it.
                if result.key.block < latest.settled or not last:
                    self._learner.learn(as_rated(result, numbers, tournament=self._place))
                    self._matches += 1
                    self._note()
            if last:
                self._block = latest.settled
                break
            self._place, self._block = self._place + 1, 0
        self._end()

    def _note(self) -> None:
        if self._matches % self._step:
            return
        self._add()
        if len(self.points) > MOST_POINTS:
            self._step *= 2
            self.points = [point for point in self.points if not point.matches % self._step]

    def _end(self) -> None:
        """The newest moment is always told of."""
        if self._matches and (not self.points or self.points[-1].matches != self._matches):
            self._add()

    def _add(self) -> None:
        known = self._learner.ratings()
        new = self._learner.new()
        scores = array("f", (known.get(n, new).score for n in range(len(self.versions))))
        if self.points and self.points[-1].matches % self._step:
            self.points.pop()
        self.points.append(Point(self._matches, scores))
