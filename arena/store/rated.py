"""Results for those who rate them again and again: whether there are new ones, and only these."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from sqlalchemy import Text, and_, cast, exists, func, not_, select, tuple_
from sqlalchemy.orm import Session

from arena.store import matches, tournaments
from arena.store.database import Database
from arena.store.records import MatchKey
from arena.store.schema import MatchRow, ResultRow, SeatRow, VoidRow, same_match

BLOCKS: Final = 2_000
"""How many are read at once: no more than these are held in memory."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much there is of a tournament.

    Results and voids are never changed and never taken away. So as long as these numbers and the
    tournament's entries, with who is withdrawn, stay the same, the results that count do too.
    """

    results: int = 0
    voids: int = 0


@dataclass(frozen=True, slots=True)
class Moment:
    """How much there was of a tournament when the newest of it was recorded; None: nothing yet."""

    at: datetime | None
    results: int
    voids: int


class Outcome(NamedTuple):
    """What a rating wants of a match that counts; lists go by seat."""

    key: MatchKey
    entries: tuple[int, ...]
    ranks: tuple[int, ...]
    totals: tuple[int, ...]
    #: How many each seat committed.
    faults: tuple[int, ...]
    #: None for results from before it was counted.
    luck: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Latest:
    """The results that count of the next blocks of a tournament."""

    results: tuple[Outcome, ...]
    #: Of all blocks before this one every match is done or given up: as long as nobody is
    #: withdrawn, what counts of them stays as it is.
    settled: int
    #: Before which block was read.
    end: int
    #: Whether there are blocks from there on.
    more: bool


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
        """The results that count of up to `BLOCKS` blocks from one on, in schedule order.

        `from_block` is to be no later than the first block that is not settled. Raises NotFound.
        """
        with self._database.read() as session:
            tournaments.require(session, tournament_id)
            last = session.scalar(
                select(func.max(MatchRow.block)).where(MatchRow.tournament_id == tournament_id)
            )
            behind = 0 if last is None else last + 1
            end = min(from_block + BLOCKS, behind)
            within = and_(MatchRow.block >= from_block, MatchRow.block < end)
            unplayed = (
                select(func.min(MatchRow.block))
                .where(MatchRow.tournament_id == tournament_id, within)
                .where(not_(exists().where(same_match(ResultRow, MatchRow))))
                .where(
                    tuple_(MatchRow.block, MatchRow.rotation).not_in(
                        tournaments.hole_keys(tournament_id)
                    )
                )
            )
            first = session.scalar(unplayed)
            left_out = matches.left_out(session, tournament_id, within=(from_block, end))
            found = tuple(
                outcome
                for outcome in _read(session, tournament_id, from_block, end)
                if outcome.key.block not in left_out
            )
        return Latest(found, end if first is None else first, end, end < behind)

    def moments(self, tournaments: Collection[int]) -> dict[int, Moment]:
        """Where the results of each of these tournaments stand now."""
        with self._database.read() as session:
            return {id_: _moment(session, id_, None) for id_ in tournaments}

    def were(self, moments: Mapping[int, Moment]) -> bool:
        """Whether each of these tournaments has stood so: results and voids have only come since.

        A store that was put back to an older backup and has gone on from there has had other ones.
        """
        with self._database.read() as session:
            return all(_moment(session, id_, told.at) == told for id_, told in moments.items())


def _moment(session: Session, tournament_id: int, until: datetime | None) -> Moment:
    """Of all results and voids, or only those until then."""
    results = select(func.count(), func.max(ResultRow.recorded_at)).where(
        ResultRow.tournament_id == tournament_id
    )
    voids = select(func.count(), func.max(VoidRow.at)).where(VoidRow.tournament_id == tournament_id)
    if until is not None:
        results = results.where(ResultRow.recorded_at <= until)
        voids = voids.where(VoidRow.at <= until)
    done, last = session.execute(results).one()
    spoilt, since = session.execute(voids).one()
    times = [at for at in (last, since) if at is not None]
    return Moment(max(times) if times else None, done, spoilt)


def _read(session: Session, tournament_id: int, start: int, end: int) -> Iterator[Outcome]:
    """All results of blocks from one on to before another: seats alone, there may be millions."""
    query = (
        select(
            SeatRow.block,
            SeatRow.rotation,
            SeatRow.entry,
            SeatRow.rank,
            SeatRow.total,
            # As text: most have none, and that can be seen without reading JSON.
            cast(SeatRow.faults, Text),
            SeatRow.luck,
        )
        .where(SeatRow.tournament_id == tournament_id)
        .where(SeatRow.block >= start, SeatRow.block < end)
        .order_by(SeatRow.block, SeatRow.rotation, SeatRow.seat)
    )
    rows = session.connection().execute(query)
    for (block, rotation), seats in groupby(rows, key=itemgetter(0, 1)):
        _, _, entries, ranks, totals, faults, luck = zip(*seats, strict=True)
        yield Outcome(
            MatchKey(block, rotation),
            entries,
            ranks,
            totals,
            tuple(0 if told == "[]" else len(json.loads(told)) for told in faults),
            None if None in luck else luck,
        )
