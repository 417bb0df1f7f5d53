"""Adaptive tournaments: how clear the order is, and the next blocks from what the store holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from arena.app.rankings.results import as_rated
from arena.rating import MatchResult, Separation
from arena.schedule import Block
from arena.store import (
    EntriesChanged,
    MatchKey,
    MatchStatus,
    NewMatch,
    Store,
    StoredMatch,
    StoredResult,
    Tournament,
)
from arena.tournament.job import match_id
from arena.tournament.waves import Waves

#: How many blocks an adaptive tournament may have for each bot, if nobody says. At tables of two it
#: is about enough if of all neighbours the better one wins 58 of 100 matches.
BLOCKS_PER_BOT = 200


@dataclass(frozen=True, slots=True)
class Clarity:
    """How clear the order of an adaptive tournament is."""

    #: How many blocks it was judged by: all before the first in which matches are to be played.
    blocks: int
    #: Entries are named by their positions.
    separation: Separation
    #: About how many more blocks it takes; None if nobody can tell yet.
    more: int | None


def clarity(store: Store, tournament: Tournament) -> Clarity | None:
    """Judge a tournament by its results that count; None for a fixed schedule, or before any."""
    if tournament.until_clear is None:
        return None
    # Somebody may be playing it. Results are read after matches, so that those of all matches that
    # had ended are among them.
    matches = store.matches(tournament.id)
    return judged(tournament, matches, store.rated_results(tournament.id))


def judged(
    tournament: Tournament, matches: Sequence[StoredMatch], rated: Iterable[StoredResult]
) -> Clarity | None:
    """The same from all matches and the results that count, wherever they come from."""
    if tournament.until_clear is None or not matches:
        return None
    pending = [match.key.block for match in matches if match.status is MatchStatus.PENDING]
    ended = _blocks(matches)[: min(pending, default=None)]
    waves = _waves(tournament, tournament.until_clear)
    waves.add(ended, _results(tournament, rated, range(len(ended))))
    found = waves.separation()
    return Clarity(len(ended), found, found.more(tournament.table_size))


class Growth:
    """The schedule of an adaptive tournament that is being played."""

    def __init__(self, store: Store, tournament: Tournament, until_clear: float) -> None:
        self._store = store
        self._tournament = tournament
        self._until_clear = until_clear
        self._waves = _waves(tournament, until_clear)
        self._taken = 0

    @classmethod
    def of(cls, store: Store, tournament: Tournament) -> Self | None:
        """That of a tournament which nobody else plays meanwhile; None for a fixed schedule."""
        if tournament.until_clear is None:
            return None
        return cls(store, tournament, tournament.until_clear)

    def grow(self) -> bool:
        """Add the next wave, or let the schedule end; say whether there is one.

        All matches so far must have ended. A wave depends on them and on who is withdrawn by now,
        and on nothing else: a process that dies before or after this leaves a store from which the
        next one goes on just the same. Raises what the store raises.
        """
        while True:
            try:
                return self._grow()
            except EntriesChanged:
                continue

    def _grow(self) -> bool:
        id_ = self._tournament.id
        self._look_at(self._store.tournament(self._tournament.name))
        blocks = _blocks(self._store.matches(id_))
        new = range(self._taken, len(blocks))
        rated = self._store.rated_results(id_)
        self._waves.add(blocks[self._taken :], _results(self._tournament, rated, new))
        self._taken = len(blocks)
        wave = self._waves.next()
        if wave:
            matches = scheduled(wave, self._tournament.seed)
            self._store.extend_schedule(id_, matches, self._tournament.entries)
        else:
            self._store.end_schedule(id_)
        return bool(wave)

    def _look_at(self, now: Tournament) -> None:
        """Begin anew if an entry was withdrawn: with it goes some of what was taken in."""
        if now.entries != self._tournament.entries:
            self._waves = _waves(now, self._until_clear)
            self._taken = 0
        self._tournament = now

    def clarity(self) -> Clarity:
        """How clear the order is after all blocks that have ended."""
        found = self._waves.separation()
        return Clarity(self._taken, found, found.more(self._tournament.table_size))


def scheduled(blocks: Iterable[Block], seed: bytes) -> list[NewMatch]:
    """The matches of some blocks, as the store wants them."""
    return [
        NewMatch(
            key=MatchKey(block.index, rotation),
            id=match_id(seed, block.index, rotation),
            seating=seating,
        )
        for block in blocks
        for rotation, seating in enumerate(block.seatings())
    ]


def _waves(tournament: Tournament, until_clear: float) -> Waves:
    return Waves(
        len(tournament.entries),
        tournament.table_size,
        most=tournament.blocks,
        confidence=until_clear,
        seed=tournament.seed,
        withdrawn=[entry.position for entry in tournament.entries if entry.withdrawn],
    )


def _blocks(matches: Iterable[StoredMatch]) -> list[Block]:
    """The blocks that are scheduled."""
    return [Block(match.key.block, match.seating) for match in matches if not match.key.rotation]


def _results(
    tournament: Tournament, rated: Iterable[StoredResult], blocks: range
) -> list[MatchResult]:
    """What counts of some blocks, as the rating wants it; entries are named by their positions."""
    positions = range(len(tournament.entries))
    return [as_rated(result, positions) for result in rated if result.key.block in blocks]
