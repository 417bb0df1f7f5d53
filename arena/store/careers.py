"""What a version has played, the newest first, across tournaments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, false, not_, or_, select, tuple_
from sqlalchemy.orm import Session

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

_CHUNK = 200
"""How many matches are read by one query."""


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
    fellows: tuple[Fellow, ...] = ()

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
        with self._database.read() as session:
            found = [
                _appearance(row)
                for row in session.execute(_query(versions, seeing, before).limit(most))
            ]
            fellows = _fellows(session, [each.at for each in found])
        return [
            replace(
                each,
                fellows=tuple(fellow for seat, fellow in fellows[each.at] if seat != each.seat),
            )
            for each in found
        ]


def _query(versions: Collection[int], seeing: Seeing, before: Outing | None) -> Any:
    query = (
        select(
            SeatRow, ResultRow, MatchRow.id, TournamentRow.name, TournamentRow.game,
            TournamentRow.timers, VersionRow.number,
        )
        .join(EntryRow, and_(
            EntryRow.tournament_id == SeatRow.tournament_id, EntryRow.position == SeatRow.entry
        ))
        .join(VersionRow, VersionRow.id == EntryRow.version_id)
        .join(TournamentRow, TournamentRow.id == SeatRow.tournament_id)
        .join(ResultRow, and_(
            ResultRow.tournament_id == SeatRow.tournament_id,
            ResultRow.block == SeatRow.block,
            ResultRow.rotation == SeatRow.rotation,
        ))
        .join(MatchRow, same_match(MatchRow, ResultRow))
        .where(EntryRow.version_id.in_(versions))
        .order_by(SeatRow.tournament_id.desc(), SeatRow.block.desc(), SeatRow.rotation.desc())
    )  # fmt: skip
    if not seeing.all:
        query = query.where(or_(not_(TournamentRow.private), _takes_part(seeing.author)))
    if before is not None:
        query = query.where(_comes_before(before))
    return query


def _comes_before(at: Outing) -> ColumnElement[bool]:
    in_block = and_(SeatRow.block == at.block, SeatRow.rotation < at.rotation)
    in_tournament = and_(
        SeatRow.tournament_id == at.tournament, or_(SeatRow.block < at.block, in_block)
    )
    return or_(SeatRow.tournament_id < at.tournament, in_tournament)


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


def _appearance(row: Any) -> Appearance:
    seat, result, match_id, tournament, game, timers, version = row
    slowest = result.measured.get("slowest_ms") or ()
    return Appearance(
        at=Outing(seat.tournament_id, seat.block, seat.rotation),
        tournament=tournament,
        game=game,
        timer=timers.get("turn"),
        match_id=match_id,
        version=version,
        seat=seat.seat,
        rank=seat.rank,
        points=seat.total,
        faults=tuple(SeatFault(*fault) for fault in seat.faults),
        outcome=seat.outcome,
        detail=seat.detail,
        turns=result.turns,
        charged_ms=seat.charged_ms,
        slowest_ms=slowest[seat.seat] if seat.seat < len(slowest) else None,
        replay=result.replay,
        log=seat.log,
    )


def _fellows(session: Session, places: Sequence[Outing]) -> dict[Outing, list[tuple[int, Fellow]]]:
    """Who sat in which seat of some matches."""
    found: dict[Outing, list[tuple[int, Fellow]]] = defaultdict(list)
    for at in range(0, len(places), _CHUNK):
        query = (
            select(
                SeatRow.tournament_id, SeatRow.block, SeatRow.rotation, SeatRow.seat,
                SeatRow.rank, BotRow.name, VersionRow.number,
            )
            .join(EntryRow, and_(
                EntryRow.tournament_id == SeatRow.tournament_id, EntryRow.position == SeatRow.entry
            ))
            .join(VersionRow, VersionRow.id == EntryRow.version_id)
            .join(BotRow, BotRow.id == VersionRow.bot_id)
            .where(
                tuple_(SeatRow.tournament_id, SeatRow.block, SeatRow.rotation).in_(
                    places[at : at + _CHUNK]
                )
            )
            .order_by(SeatRow.seat)
        )  # fmt: skip
        for tournament, block, rotation, seat, rank, bot, number in session.execute(query):
            found[Outing(tournament, block, rotation)].append((seat, Fellow(bot, number, rank)))
    return found
