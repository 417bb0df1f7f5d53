"""What a version has played, the newest first, across tournaments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Subquery, and_, false, not_, or_, select
from sqlalchemy.orm import Session

from arena.store import matches
from arena.store.database import Database
from arena.store.pages import Seeing
from arena.store.records import BlobKey, SeatFault
from arena.store.schema import (
    BotRow,
    EntryRow,
    MatchRow,
    ResultRow,
    SeatRow,
    TournamentRow,
    VersionRow,
    same_match,
)


class Outing(NamedTuple):
    """A match's place among all: later tournaments and later blocks come later."""

    tournament: int
    block: int
    rotation: int


@dataclass(frozen=True, slots=True)
class Fellow:
    """Who else sat at the table; `rank` is where it ended."""

    bot: str
    version: int
    rank: int


@dataclass(frozen=True, slots=True)
class Appearance:
    """A match that a version has played, from where it sat.

    `turns` are those of all seats; times are in milliseconds, and None where nobody measured.
    """

    at: Outing
    tournament: str
    game: str
    #: The time for a turn there, in seconds.
    timer: float | None
    match_id: str
    version: int
    seat: int
    rank: int
    points: int
    faults: tuple[SeatFault, ...]
    outcome: str
    detail: str
    turns: int
    charged_ms: float
    slowest_ms: float | None
    replay: BlobKey
    log: BlobKey | None
    fellows: tuple[Fellow, ...]

    @property
    def table_size(self) -> int:
        """How many sat there."""
        return 1 + len(self.fellows)


class Careers:
    """What versions have played; part of a `Store`, see there."""

    def __init__(self, database: Database) -> None:
        """Read it from `database`."""
        self._database = database

    def latest(
        self,
        versions: Collection[int],
        seeing: Seeing,
        *,
        most: int,
        before: Outing | None = None,
    ) -> list[Appearance]:
        """Up to `most` matches of these versions, by their ids, from behind one, newest first.

        Only in tournaments that are public, or `seeing`'s author organises or has entered.
        """
        found: list[Appearance] = []
        with self._database.read() as session:
            entries = session.execute(_entries(versions, seeing, before)).all()
            for _, of_tournament in groupby(entries, key=attrgetter("id")):
                for entry in of_tournament:
                    found += _appearances(session, entry, _places(entry, before, most))
                if len(found) >= most:
                    break
        return sorted(found, key=attrgetter("at"), reverse=True)[:most]

    def released(self, places: Collection[Outing]) -> frozenset[Outing]:
        """Those of some places whose replays are released, see `Store.is_released`."""
        by_tournament: dict[int, set[int]] = defaultdict(set)
        for place in places:
            by_tournament[place.tournament].add(place.block)
        with self._database.read() as session:
            secret = {
                tournament: matches.secret_among(session, tournament, blocks)
                for tournament, blocks in by_tournament.items()
            }
        return frozenset(each for each in places if each.block not in secret[each.tournament])


def _entries(versions: Collection[int], seeing: Seeing, before: Outing | None) -> Any:
    """Where the versions take part, the newest tournament first."""
    query = (
        select(
            TournamentRow.id, TournamentRow.name, TournamentRow.game, TournamentRow.timers,
            EntryRow.position, VersionRow.number,
        )
        .join(EntryRow, EntryRow.tournament_id == TournamentRow.id)
        .join(VersionRow, VersionRow.id == EntryRow.version_id)
        .where(EntryRow.version_id.in_(versions))
        .order_by(TournamentRow.id.desc(), EntryRow.position)
    )  # fmt: skip
    if not seeing.all:
        query = query.where(or_(not_(TournamentRow.private), _takes_part(seeing.author)))
    if before is not None:
        query = query.where(TournamentRow.id <= before.tournament)
    return query


def _places(entry: Any, before: Outing | None, most: int) -> Subquery:
    """Where an entry sat, the newest match first: read from an index alone."""
    query = (
        select(SeatRow.tournament_id, SeatRow.block, SeatRow.rotation, SeatRow.seat)
        .where(SeatRow.tournament_id == entry.id, SeatRow.entry == entry.position)
        .order_by(SeatRow.block.desc(), SeatRow.rotation.desc())
        .limit(most)
    )
    if before is not None and before.tournament == entry.id:
        in_block = and_(SeatRow.block == before.block, SeatRow.rotation < before.rotation)
        query = query.where(or_(SeatRow.block < before.block, in_block))
    return query.subquery()


def _appearances(session: Session, entry: Any, places: Subquery) -> list[Appearance]:
    """What an entry has played in these places."""
    # Columns, not rows' objects: making those would take a third of the time.
    query = (
        select(
            SeatRow.tournament_id, SeatRow.block, SeatRow.rotation, SeatRow.seat, SeatRow.rank,
            SeatRow.total, SeatRow.faults, SeatRow.outcome, SeatRow.detail, SeatRow.charged_ms,
            SeatRow.log, ResultRow.measured, ResultRow.turns, ResultRow.replay, MatchRow.id,
        )
        .select_from(places)
        .join(SeatRow, and_(_at(SeatRow, places), SeatRow.seat == places.c.seat))
        .join(ResultRow, _at(ResultRow, places))
        .join(MatchRow, same_match(MatchRow, ResultRow))
    )  # fmt: skip
    fellows = _fellows(session, places)
    return [_appearance(entry, row, fellows) for row in session.execute(query)]


def _at(row: type[SeatRow | ResultRow], places: Subquery) -> ColumnElement[bool]:
    return and_(
        row.tournament_id == places.c.tournament_id,
        row.block == places.c.block,
        row.rotation == places.c.rotation,
    )


def _takes_part(author: str | None) -> ColumnElement[bool]:
    if author is None:
        return false()
    entry, version, bot = (
        EntryRow.__table__.alias(), VersionRow.__table__.alias(), BotRow.__table__.alias()
    )  # fmt: skip
    entered = (
        select(entry.c.tournament_id)
        .join(version, entry.c.version_id == version.c.id)
        .join(bot, version.c.bot_id == bot.c.id)
        .where(entry.c.tournament_id == TournamentRow.id, bot.c.author == author)
    )
    return or_(TournamentRow.organiser == author, entered.exists())


def _appearance(entry: Any, row: Any, fellows: Mapping[Outing, Sequence[Fellow]]) -> Appearance:
    at = Outing(row.tournament_id, row.block, row.rotation)
    slowest = row.measured.get("slowest_ms") or ()
    return Appearance(
        at=at,
        tournament=entry.name,
        game=entry.game,
        timer=entry.timers.get("turn"),
        match_id=row.id,
        version=entry.number,
        seat=row.seat,
        rank=row.rank,
        points=row.total,
        faults=tuple(SeatFault(*fault) for fault in row.faults),
        outcome=row.outcome,
        detail=row.detail,
        turns=row.turns,
        charged_ms=row.charged_ms,
        slowest_ms=slowest[row.seat] if row.seat < len(slowest) else None,
        replay=row.replay,
        log=row.log,
        fellows=tuple(fellows.get(at, ())),
    )


def _fellows(session: Session, places: Subquery) -> dict[Outing, list[Fellow]]:
    """Who else sat at the tables of these places, in the order of their seats."""
    query = (
        select(
            SeatRow.tournament_id, SeatRow.block, SeatRow.rotation,
            BotRow.name, VersionRow.number, SeatRow.rank,
        )
        .select_from(places)
        .join(SeatRow, and_(_at(SeatRow, places), SeatRow.seat != places.c.seat))
        .join(EntryRow, and_(
            EntryRow.tournament_id == SeatRow.tournament_id, EntryRow.position == SeatRow.entry
        ))
        .join(VersionRow, VersionRow.id == EntryRow.version_id)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .order_by(SeatRow.seat)
    )  # fmt: skip
    found: dict[Outing, list[Fellow]] = defaultdict(list)
    for tournament, block, rotation, bot, version, rank in session.execute(query):
        found[Outing(tournament, block, rotation)].append(Fellow(bot, version, rank))
    return found
