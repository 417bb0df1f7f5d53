"""A ranking as a table: worked out from results, and growing with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Self

from arena.app.errors import ArenaError
from arena.app.results import as_rated
from arena.rating import (
    Beaten,
    Ladder,
    Learner,
    Meetings,
    Moment,
    Pairs,
    Standing,
    Versus,
    beaten,
    head_to_head,
)
from arena.store import BotVersion, StoredResult, Tournament


@dataclass(frozen=True, slots=True)
class Ranked:
    """A bot version in a ranking."""

    #: From 1; equal scores share a rank, and the next is skipped.
    rank: int
    version: BotVersion
    standing: Standing
    #: What share of all that it met it has beaten.
    beaten: Beaten


@dataclass(frozen=True, slots=True)
class Duel:
    """What a bot version did against another one."""

    one: BotVersion
    other: BotVersion
    versus: Versus


@dataclass(frozen=True, slots=True)
class Table:
    """A ranking, and what any two in it did against each other."""

    #: The best first.
    ranked: tuple[Ranked, ...]
    pairs: Pairs
    #: How ratings came about, the newest moment last; none where they are rated in passes.
    moments: tuple[Moment, ...] = ()
    #: All pairs' duels, once somebody has asked.
    _all: list[tuple[Duel, ...]] = field(default_factory=list, compare=False, repr=False)

    def duels(self, bot: str | None = None) -> tuple[Duel, ...]:
        """All pairs that have met, or only those of ``bot``, which is ``name`` or ``name:version``.

        Who ranks better stands first, or ``bot`` if it is given.  Raises ``ArenaError`` if that is
        nobody in the ranking, or several.
        """
        if bot is not None:
            return self._duels(bot)
        if not self._all:
            self._all.append(self._duels(None))
        return self._all[0]

    def _duels(self, bot: str | None) -> tuple[Duel, ...]:
        versions = {row.standing.entry: row.version for row in self.ranked}
        place = {row.standing.entry: place for place, row in enumerate(self.ranked)}
        entry = None if bot is None else _named(bot, versions)
        found = [
            versus.turned() if entry is None and place[versus.one] > place[versus.other] else versus
            for versus in head_to_head(self.pairs, entry)
        ]
        return tuple(
            Duel(versions[versus.one], versions[versus.other], versus)
            for versus in sorted(found, key=lambda one: (place[one.one], place[one.other]))
        )


class Tally:
    """The table of some tournaments, taken in one after the other.

    A version that plays in several tournaments is one.  Results go in in the order of tournaments
    and, within each, of its schedule; a table that grew is equal to one worked out at once.
    """

    def __init__(self, tournaments: Iterable[Tournament], learner: Learner) -> None:
        """Begin with no results; ``learner`` must not have learnt anything yet."""
        self.versions = versions_of(tournaments)
        self._number_of = {version.id: number for number, version in enumerate(self.versions)}
        self._ladder = Ladder(entries=range(len(self.versions)), learner=learner)
        self._meetings = Meetings()

    def add(self, place: int, tournament: Tournament, results: Iterable[StoredResult]) -> None:
        """Take in all results that count of the next blocks of the tournament in that place."""
        numbers = [self._number_of[entry.version.id] for entry in tournament.entries]
        rated = [as_rated(result, numbers, tournament=place) for result in results]
        self._ladder.extend(rated)
        self._meetings.extend(rated)

    def copy(self) -> Self:
        """The same, to grow in another way."""
        copied = copy(self)
        copied._ladder, copied._meetings = self._ladder.copy(), self._meetings.copy()
        return copied

    def table(self) -> Table:
        """The ranking after all that was taken in."""
        pairs = self._meetings.pairs()
        shares = beaten(pairs, range(len(self.versions)))
        return Table(
            tuple(
                Ranked(
                    standing.rank,
                    self.versions[standing.entry],
                    standing,
                    shares[standing.entry],
                )
                for standing in self._ladder.standings()
            ),
            pairs,
            self._ladder.moments(),
        )


def versions_of(tournaments: Iterable[Tournament]) -> Sequence[BotVersion]:
    """All that take part in some tournaments, by name and number.

    So the same results give the same numbers in any store.
    """
    found = {
        entry.version.id: entry.version
        for tournament in tournaments
        for entry in tournament.entries
    }
    return sorted(found.values(), key=lambda version: (version.bot, version.number))


def _named(bot: str, versions: Mapping[int, BotVersion]) -> int:
    """The one in the ranking that is called so."""
    name, _, number = bot.partition(":")
    found = {
        entry: f"{version.bot}:{version.number}"
        for entry, version in versions.items()
        if version.bot == name and number in {"", str(version.number)}
    }
    if not found:
        raise ArenaError(f"no bot of this ranking is called {bot}: arena rankings lists them")
    if len(found) > 1:
        raise ArenaError(f"{bot} has several versions here, say which: {', '.join(found.values())}")
    return next(iter(found))
