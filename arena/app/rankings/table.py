"""A ranking as a table: worked out from results, and growing with them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Self, overload

from arena.app.errors import ArenaError
from arena.app.rankings.results import counted
from arena.rating import (
    Beaten,
    HeadToHead,
    Ladder,
    Learner,
    Meetings,
    Moment,
    Paths,
    Standing,
    Versus,
    beaten,
    head_to_head,
)
from arena.store import BotVersion, Tournament
from arena.store.rated import Outcome


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


class Duels(Sequence[Duel]):
    """What any two in a ranking did against each other, who ranks better first.

    There may be millions of pairs: each is made when it is looked at.
    """

    def __init__(self, table: Table) -> None:
        """Of a ranking and of who met in it."""
        self.table = table
        ranked, meetings = table.ranked, table.meetings
        self._versions = {row.standing.entry: row.version for row in ranked}
        self._entries = {row.version.id: row.standing.entry for row in ranked}
        places = {row.standing.entry: place for place, row in enumerate(ranked)}
        self._pairs = HeadToHead(meetings, places)

    def __len__(self) -> int:
        return len(self._pairs)

    @overload
    def __getitem__(self, at: int) -> Duel: ...
    @overload
    def __getitem__(self, at: slice) -> list[Duel]: ...

    def __getitem__(self, at: int | slice) -> Duel | list[Duel]:
        if isinstance(at, slice):
            return [self._duel(versus) for versus in self._pairs[at]]
        return self._duel(self._pairs[at])

    def between(self, one: BotVersion, other: BotVersion) -> Duel | None:
        """What `one` did against `other`; None if they haven't met."""
        if not {one.id, other.id} <= self._entries.keys():
            return None
        versus = self._pairs.between(self._entries[one.id], self._entries[other.id])
        return None if versus is None else self._duel(versus)

    def _duel(self, versus: Versus) -> Duel:
        return Duel(self._versions[versus.one], self._versions[versus.other], versus)


@dataclass(frozen=True, slots=True)
class Table:
    """A ranking, and what any two in it did against each other."""

    #: The best first.
    ranked: tuple[Ranked, ...]
    meetings: Meetings
    #: How ratings came about, the newest moment last; none where they are rated in passes.
    moments: tuple[Moment, ...] = ()
    #: The same for each entry alone, over matches of its own.
    paths: Paths = field(default_factory=Paths)
    #: All pairs' duels, once somebody has asked.
    _all: list[Duels] = field(default_factory=list, compare=False, repr=False)

    def duels(self, bot: str | None = None) -> Sequence[Duel]:
        """All pairs that have met, or only those of ``bot``, which is ``name`` or ``name:version``.

        Who ranks better stands first, or ``bot`` if it is given.  Raises ``ArenaError`` if that is
        nobody in the ranking, or several.
        """
        return self.all_duels() if bot is None else self._duels_of(bot)

    def all_duels(self) -> Duels:
        """All pairs that have met."""
        if not self._all:
            self._all.append(Duels(self))
        return self._all[0]

    def _duels_of(self, bot: str) -> tuple[Duel, ...]:
        versions = {row.standing.entry: row.version for row in self.ranked}
        place = {row.standing.entry: place for place, row in enumerate(self.ranked)}
        entry = _named(bot, versions)
        found = head_to_head(self.meetings.of(entry), entry)
        return tuple(
            Duel(versions[versus.one], versions[versus.other], versus)
            for versus in sorted(found, key=lambda one: place[one.other])
        )


@dataclass(frozen=True, slots=True)
class Saved:
    """What a tally knows, as numbers."""

    #: The ids of the versions, in the order of their numbers.
    versions: tuple[int, ...]
    #: How many blocks were taken in, and the place of the last match.
    blocks: int
    last: tuple[int, ...] | None
    columns: Mapping[str, array[int] | array[float]]


class Tally:
    """The table of some tournaments, taken in one after the other.

    A version that plays in several tournaments is one.  Results go in in the order of tournaments
    and, within each, of its schedule; a table that grew is equal to one worked out at once.
    """

    def __init__(self, versions: Sequence[BotVersion], learner: Learner) -> None:
        """Begin with no results; ``learner`` must not have learnt anything yet."""
        self.versions = versions
        self._number_of = {version.id: number for number, version in enumerate(self.versions)}
        self._ladder = Ladder(entries=range(len(self.versions)), learner=learner)
        self._meetings = Meetings()

    def add(self, place: int, tournament: Tournament, results: Iterable[Outcome]) -> None:
        """Take in all results that count of the next blocks of the tournament in that place."""
        numbers = [self._number_of[entry.version.id] for entry in tournament.entries]
        rated = [counted(result, numbers, tournament=place) for result in results]
        self._ladder.extend(rated)
        self._meetings.extend(rated)

    def join(self, versions: Sequence[BotVersion]) -> None:
        """Have others in it, too, as if they had been from the start: all that are in it now."""
        number_of = {version.id: number for number, version in enumerate(versions)}
        numbers = {number: number_of[id_] for id_, number in self._number_of.items()}
        self._ladder.renumber(numbers, range(len(versions)))
        self._meetings.renumber(numbers)
        self.versions, self._number_of = versions, number_of

    def copy(self) -> Self:
        """The same, to grow in another way."""
        copied = copy(self)
        copied._ladder, copied._meetings = self._ladder.copy(), self._meetings.copy()
        return copied

    @property
    def bouts(self) -> int:
        """How much it keeps."""
        return self._meetings.bouts

    def saved(self) -> Saved:
        """All that it knows, from which `resume` goes on."""
        return Saved(
            tuple(version.id for version in self.versions),
            self._meetings.blocks,
            self._ladder.last,
            self._ladder.columns() | self._meetings.columns(),
        )

    def resume(self, saved: Saved) -> None:
        """Go on from what `saved` gave; nothing may have been taken in yet."""
        self._ladder.resume(saved.columns, saved.last)
        self._meetings.resume(saved.columns, saved.blocks)

    def table(self) -> Table:
        """The ranking after all that was taken in."""
        return self.table_with(beaten(self._meetings, range(len(self.versions))))

    def table_with(self, shares: Mapping[int, Beaten]) -> Table:
        """The same, where it is known what share of the others each has beaten."""
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
            self._meetings.copy(),
            self._ladder.moments(),
            self._ladder.paths(),
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
