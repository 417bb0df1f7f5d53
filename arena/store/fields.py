"""Tournaments for whoever reads them again and again: entries that stay aren't read anew.

A tournament may have thousands. Once its schedule is drawn, only withdrawals and retired versions
change them, which few rows tell.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from sqlalchemy import Select, exists, func, select
from sqlalchemy.orm import Session

from arena.store import tournaments
from arena.store.database import Database
from arena.store.records import Entry, Tournament
from arena.store.schema import EntryRow, MatchRow, TournamentRow, VersionRow

MOST: Final = 100_000
"""How many entries are remembered, each about a kilobyte."""

_Mark: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """The entries of a tournament that is drawn, and what else they would look like."""

    mark: _Mark
    entries: tuple[Entry, ...]


class Fields:
    """Tournaments with their entries; part of a `Store`, see there."""

    def __init__(self, database: Database) -> None:
        """Read them from `database`."""
        self._database = database
        self._lock = threading.Lock()
        #: By tournament; what was asked for last is the last.
        self._known: OrderedDict[int, _Known] = OrderedDict()

    def tournament(self, name: str) -> Tournament:
        """As `Store.tournament` gives it. Raises NotFound."""
        with self._database.read() as session:
            found = self._read(session, select(TournamentRow).where(TournamentRow.name == name))
            return found[0] if found else tournaments.find(session, name)

    def tournaments(self, game: str, league: str | None = None) -> list[Tournament]:
        """As `Store.tournaments` gives them."""
        with self._database.read() as session:
            return self._read(session, tournaments.those_of(game, league))

    def _read(self, session: Session, query: Select[TournamentRow]) -> list[Tournament]:
        found = tournaments.records(session, query, entries=False)
        marks = _marks(session, [tournament.id for tournament in found])
        with self._lock:
            same = {
                id_: known.entries
                for id_, mark in marks.items()
                if (known := self._known.get(id_)) is not None and known.mark == mark
            }
        missing = [tournament.id for tournament in found if tournament.id not in same]
        read = select(TournamentRow).where(TournamentRow.id.in_(missing))
        anew = {one.id: one.entries for one in tournaments.records(session, read)}
        with self._lock:
            for tournament in found:
                if tournament.id in marks:
                    entries = same.get(tournament.id) or anew[tournament.id]
                    self._known[tournament.id] = _Known(marks[tournament.id], entries)
                    self._known.move_to_end(tournament.id)
            while sum(len(known.entries) for known in self._known.values()) > MOST:
                self._known.popitem(last=False)
        return [replace(one, entries=same.get(one.id, anew.get(one.id, ()))) for one in found]


def _marks(session: Session, ids: Sequence[int]) -> dict[int, _Mark]:
    """For each of these tournaments that is drawn, what its entries depend on."""
    drawn = select(TournamentRow.id).where(
        TournamentRow.id.in_(ids), exists().where(MatchRow.tournament_id == TournamentRow.id)
    )
    counts = session.execute(
        select(EntryRow.tournament_id, func.count(), func.count(VersionRow.retired_at))
        .join(VersionRow, VersionRow.id == EntryRow.version_id)
        .where(EntryRow.tournament_id.in_(drawn))
        .group_by(EntryRow.tournament_id)
    )
    withdrawn = defaultdict(list)
    for tournament_id, *told in session.execute(
        select(
            EntryRow.tournament_id,
            EntryRow.position,
            EntryRow.withdrawn_at,
            EntryRow.withdrawn_why,
            EntryRow.withdrawn_from,
            EntryRow.annulled_from,
        )
        .where(EntryRow.tournament_id.in_(drawn), EntryRow.withdrawn_from.is_not(None))
        .order_by(EntryRow.tournament_id, EntryRow.position)
    ):
        withdrawn[tournament_id].append(tuple(told))
    return {id_: (count, retired, *withdrawn[id_]) for id_, count, retired in counts}
