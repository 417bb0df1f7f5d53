"""Results for those who rate them again and again: whether there are new ones, and only these."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import exists, func, not_, select, tuple_

from arena.store import results, tournaments
from arena.store.database import Database
from arena.store.records import StoredResult
from arena.store.schema import MatchRow, ResultRow, VoidRow, same_match


@dataclass(frozen=True, slots=True)
class Extent:
    """How much there is of a tournament.

    Results and voids are never changed and never taken away. So as long as these numbers and the
    tournament's entries, with who is withdrawn, stay the same, the results that count do too.
    """

    results: int = 0
    voids: int = 0


@dataclass(frozen=True, slots=True)
class Latest:
    """The results that count of a tournament from some block on."""

    results: tuple[StoredResult, ...]
    #: Of all blocks before this one every match is done or given up: as long as nobody is
    #: withdrawn, what counts of them stays as it is.
    settled: int


class Rated:
    """The results that count; part of a `Store`, see there."""

    def __init__(self, database: Database) -> None:
        """Read them from `database`."""
        self._database = database

    def extents(self, tournaments: Collection[int]) -> dict[int, Extent]:
        """How much there is of each of these tournaments."""
        with self._database.read() as session:
            counts = [
                dict(
                    session.execute(
                        select(rows.tournament_id, func.count())
                        .where(rows.tournament_id.in_(tournaments))
                        .group_by(rows.tournament_id)
                    ).all()
                )
                for rows in (ResultRow, VoidRow)
            ]
        return {id_: Extent(*(count.get(id_, 0) for count in counts)) for id_ in tournaments}

    def latest(self, tournament_id: int, from_block: int = 0) -> Latest:
        """The results that count from a block on, in schedule order. Raises NotFound."""
        with self._database.read() as session:
            found = results.rated(session, tournament_id, from_block=from_block)
            unplayed = (
                select(func.min(MatchRow.block))
                .where(MatchRow.tournament_id == tournament_id)
                .where(not_(exists().where(same_match(ResultRow, MatchRow))))
                .where(
                    tuple_(MatchRow.block, MatchRow.rotation).not_in(
                        tournaments.hole_keys(tournament_id)
                    )
                )
            )
            after = select(func.max(MatchRow.block) + 1).where(
                MatchRow.tournament_id == tournament_id
            )
            settled = session.scalar(unplayed)
            if settled is None:
                settled = session.scalar(after) or 0
        return Latest(tuple(found), settled)
