"""The bots by name: whose they are, where they play, and which versions are out of use."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import (
    ColumnElement,
    Select,
    String,
    and_,
    case,
    cast,
    exists,
    func,
    or_,
    select,
    true,
)
from sqlalchemy.orm import Session

from arena.store import requests
from arena.store.database import Database
from arena.store.errors import NotFound
from arena.store.records import BotSummary, BotVersion
from arena.store.requests import Request
from arena.store.schema import BotRow, EntryRow, SeatRow, TournamentRow, VersionRow
from arena.store.versions import version_record


@dataclass(frozen=True, slots=True)
class Roster:
    """All bots that have a version; each method is one transaction, as those of Store."""

    database: Database

    def page(
        self,
        *,
        author: str | None = None,
        after: str | None = None,
        containing: str = "",
        size: int,
    ) -> list[BotSummary]:
        """The next bots by name, at most `size`, from behind `after`.

        All or an author's, and only those whose name has `containing` in it.
        """
        query = select(BotRow.name).where(BotRow.id.in_(select(VersionRow.bot_id)))
        if author is not None:
            query = query.where(BotRow.author == author)
        with self.database.read() as session:
            # Sorted here: databases differ in what they call alphabetical.
            names = sorted(
                name
                for name in session.scalars(query)
                if (after is None or name > after) and containing in name
            )
            these = _summaries().where(BotRow.name.in_(names[:size]))
            found = [_summary(*row) for row in session.execute(these)]
        return sorted(found, key=lambda bot: bot.name)

    def bot(self, name: str) -> BotSummary:
        """The bot of that name. Raises NotFound."""
        with self.database.read() as session:
            return _find(session, name)

    def owner(self, name: str) -> str | None:
        """The author whose the name is, also before it has a version; None: nobody's."""
        with self.database.read() as session:
            return session.scalar(select(BotRow.author).where(BotRow.name == name))

    def appearances(
        self, name: str, viewer: str | None, *, everything: bool = False, most: int | None = 100
    ) -> list[tuple[str, int]]:
        """The tournaments, the newest first, and the numbers of the versions that play in them.

        Private ones only if they are the viewer's, by organising or playing, or if `everything`.
        """
        query = (
            select(TournamentRow.name, VersionRow.number)
            .join(EntryRow, EntryRow.tournament_id == TournamentRow.id)
            .join(VersionRow, VersionRow.id == EntryRow.version_id)
            .join(BotRow, BotRow.id == VersionRow.bot_id)
            .where(BotRow.name == name)
            .order_by(TournamentRow.id.desc(), VersionRow.number)
            .limit(most)
        )
        if not everything:
            plays = exists(
                select(EntryRow.position)
                .join(VersionRow, VersionRow.id == EntryRow.version_id)
                .join(BotRow, BotRow.id == VersionRow.bot_id)
                .where(and_(EntryRow.tournament_id == TournamentRow.id, BotRow.author == viewer))
                .correlate(TournamentRow)
            )
            query = query.where(
                or_(~TournamentRow.private, TournamentRow.organiser == viewer, plays)
            )
        with self.database.read() as session:
            return [(tournament, number) for tournament, number in session.execute(query)]

    def own(self, author: str) -> list[BotVersion]:
        """The newest version in use of each bot of an author's, by name."""
        with self.database.read() as session:
            return _newest(session, BotRow.author == author)

    def players(self, game: str) -> list[str]:
        """The names of the bots whose newest version in use plays the game, in alphabetical order.

        These can be entered by name.
        """
        newest = (
            select(VersionRow.bot_id, func.max(VersionRow.number).label("number"))
            .where(VersionRow.retired_at.is_(None))
            .group_by(VersionRow.bot_id)
            .subquery()
        )
        same = and_(VersionRow.bot_id == newest.c.bot_id, VersionRow.number == newest.c.number)
        query = (
            select(BotRow.name)
            .join(VersionRow, VersionRow.bot_id == BotRow.id)
            .join(newest, same)
            # As text: to read thousands of lists takes longer than all else.
            .where(cast(VersionRow.games, String).contains(f'"{game}"', autoescape=True))
        )
        with self.database.read() as session:
            return sorted(session.scalars(query))

    def ranked(self, game: str, among: Collection[str] | None = None) -> list[BotVersion]:
        """The newest version in use of each bot that a public tournament of the game has rated.

        By name; `among` are the names that are asked about, all by default. Annulled entries don't
        count.
        """
        played = exists(
            select(SeatRow.entry).where(
                SeatRow.tournament_id == EntryRow.tournament_id, SeatRow.entry == EntryRow.position
            )
        )
        rated = (
            select(EntryRow.version_id)
            .join(TournamentRow, TournamentRow.id == EntryRow.tournament_id)
            .where(TournamentRow.game == game, ~TournamentRow.private)
            .where(EntryRow.annulled_from.is_(None), played)
        )
        with self.database.read() as session:
            which = true() if among is None else BotRow.name.in_(among)
            return _newest(session, and_(which, VersionRow.id.in_(rated)))

    def retire(
        self, name: str, number: int | None = None, *, request: Request | None = None
    ) -> BotSummary:
        """Take a version, or all of them, out of what can be entered; twice is the same as once.

        What it has played, and where it is entered already, stays. Raises NotFound, AlreadyDone.
        """
        with self.database.write() as session:
            requests.claim(session, request, name)
            _find(session, name)
            query = (
                select(VersionRow)
                .join(BotRow, BotRow.id == VersionRow.bot_id)
                .where(BotRow.name == name)
            )
            if number is not None:
                query = query.where(VersionRow.number == number)
            versions = session.scalars(query).all()
            if not versions:
                raise NotFound(f"bot {name!r} has no version {number}")
            for version in versions:
                version.retired_at = version.retired_at or datetime.now(UTC)
            session.flush()
            return _find(session, name)


def _newest(session: Session, which: ColumnElement[bool]) -> list[BotVersion]:
    """Of all versions in use of which it is so, each bot's newest, by the bots' names."""
    query = (
        select(VersionRow, BotRow.name, BotRow.author)
        .join(BotRow, VersionRow.bot_id == BotRow.id)
        .where(VersionRow.retired_at.is_(None), which)
        .order_by(VersionRow.number)
    )
    found = {row[1]: version_record(*row) for row in session.execute(query)}
    return [found[name] for name in sorted(found)]


def _find(session: Session, name: str) -> BotSummary:
    row = session.execute(_summaries().where(BotRow.name == name)).one_or_none()
    if row is None:
        raise NotFound(f"there is no bot {name[:40]!a}: look it up in the list of bots")
    return _summary(*row)


def _summaries() -> Select[str, str, int | None, int]:
    in_use = case((VersionRow.retired_at.is_(None), VersionRow.number))
    return (
        select(BotRow.name, BotRow.author, func.max(in_use), func.count(VersionRow.id))
        .join(VersionRow, VersionRow.bot_id == BotRow.id)
        .group_by(BotRow.id, BotRow.name, BotRow.author)
    )


def _summary(name: str, author: str, newest: int | None, versions: int) -> BotSummary:
    return BotSummary(name, author, newest, versions)
