"""Who takes part: entry before a tournament's schedule is drawn, withdrawal afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import Session

from arena.store import requests, tournaments
from arena.store.database import Database
from arena.store.errors import (
    EntriesChanged,
    EntryClosed,
    EntryRefused,
    InvalidRecord,
    NotFound,
    NotScheduled,
    TournamentOver,
)
from arena.store.records import BotVersion, Entry, NewMatch
from arena.store.requests import Request
from arena.store.schema import BotRow, EntryRow, MatchRow, TournamentRow, VersionRow
from arena.store.texts import checked
from arena.store.versions import require_in_use


class Entering:
    """Entries of tournaments as they come and go; part of a `Store`, see there.

    Every method raises NotFound for a tournament that isn't there, and AlreadyDone.
    """

    def __init__(self, database: Database) -> None:
        """Keep them in `database`."""
        self._database = database

    def asked(self, request: Request | None) -> str | None:
        """The name of the tournament that the same request has changed before; None: it is new.

        Raises RequestReused.
        """
        if request is None:
            return None
        with self._database.read() as session:
            return requests.target_of(session, request)

    def enter(
        self, tournament_id: int, version: BotVersion, *, request: Request | None = None
    ) -> None:
        """Enter a version, in place of another one of its bot; twice is the same as once.

        Raises EntryClosed, TournamentOver, and EntryRefused for one that was retired, or plays
        other games, or is the same code as another bot's.
        """
        with self._database.write() as session:
            row = _begun(session, tournament_id, request)
            _require_open(session, row)
            entries = {bot.name: (entry, of) for entry, of, bot in _entries(session, row)}
            entry, entered = entries.pop(version.bot, (None, None))
            if entered is not None and entered.id == version.id:
                return
            _check_fit(session, row, version)
            for name, (_, of) in entries.items():
                if of.digest == version.digest:
                    raise EntryRefused(
                        f"{version.bot} and {name} are the same code: enter one of them"
                    )
            if entry is not None:
                entry.version_id = version.id
                return
            newest = select(func.max(EntryRow.position)).where(EntryRow.tournament_id == row.id)
            last = session.scalar(newest)
            place = 0 if last is None else last + 1
            session.add(EntryRow(tournament_id=row.id, position=place, version_id=version.id))

    def leave(self, tournament_id: int, bot: str, *, request: Request | None = None) -> None:
        """Take a bot out again. Raises EntryClosed, TournamentOver, NotFound."""
        with self._database.write() as session:
            row = _begun(session, tournament_id, request)
            _require_open(session, row)
            session.delete(_entry(session, row, bot))

    def open(self, tournament_id: int, *, request: Request | None = None) -> None:
        """Let bots be entered; twice is the same as once. Raises EntryClosed, TournamentOver."""
        with self._database.write() as session:
            row = _begun(session, tournament_id, request)
            _require_undrawn(session, row)
            row.entry_open = True

    def close(self, tournament_id: int, *, request: Request | None = None) -> None:
        """Let no more bots be entered; twice is the same as once.

        Raises EntryClosed, TournamentOver.
        """
        with self._database.write() as session:
            row = _begun(session, tournament_id, request)
            _require_undrawn(session, row)
            row.entry_open = False

    def draw(
        self,
        tournament_id: int,
        versions: Sequence[BotVersion],
        matches: Sequence[NewMatch],
        *,
        blocks: int,
        request: Request | None = None,
    ) -> None:
        """End entry: the versions take the positions from 0 on, and have this schedule.

        `blocks` is how many blocks there are, or may be at most. Raises EntryClosed,
        TournamentOver, InvalidRecord, and EntriesChanged if others are entered than these.
        """
        with self._database.write() as session:
            row = _begun(session, tournament_id, request)
            _require_undrawn(session, row)
            ids = [version.id for version in versions]
            if sorted(ids) != sorted(of.id for _, of, _ in _entries(session, row)):
                raise EntriesChanged(
                    f"bots were entered in tournament {row.name!r} or taken out meanwhile: "
                    "try again"
                )
            tournaments.check_matches(row.name, len(ids), row.table_size, matches)
            if not matches:
                raise InvalidRecord(f"a schedule of tournament {row.name!r} has a match at least")
            row.entry_open = False
            row.blocks = blocks
            # Places are taken in the order of arrival until now, and two can't swap theirs.
            session.execute(delete(EntryRow).where(EntryRow.tournament_id == row.id))
            tournaments.seat(session, row.id, ids)
            tournaments.schedule(session, row.id, matches)

    def withdraw(
        self,
        tournament_id: int,
        bot: str,
        *,
        why: str,
        annul: bool = False,
        request: Request | None = None,
    ) -> None:
        """Take an entry out for good: its matches to come are annulled.

        With `annul` every block in which it plays is left out of the rating; once annulled it
        stays so. `bot` is its name, or `name:number` where several versions play. `why` is one
        line for everybody. Raises NotScheduled before the schedule is drawn, NotFound,
        InvalidRecord.
        """
        with self._database.write() as session:
            row = _begun(session, tournament_id, request)
            query = select(func.max(MatchRow.block)).where(MatchRow.tournament_id == row.id)
            last = session.scalar(query)
            if last is None:
                raise NotScheduled(
                    f"tournament {row.name!r} has no schedule yet: there a bot leaves, "
                    "and nothing is to be withdrawn"
                )
            entry = _entry(session, row, bot)
            entry.withdrawn_why = checked("reason", why)
            if entry.withdrawn_from is None:
                entry.withdrawn_at = datetime.now(UTC)
                entry.withdrawn_from = last + 1
            if annul and entry.annulled_from is None:
                entry.annulled_from = last + 1


def require_unchanged(session: Session, row: TournamentRow, entries: Sequence[Entry]) -> None:
    """Raises EntriesChanged, if entries were withdrawn since these were read."""
    now = {
        (entry.position, entry.withdrawn_from, entry.annulled_from)
        for entry, _, _ in _entries(session, row)
    }
    if now != {(one.position, one.withdrawn_from, one.annulled_from) for one in entries}:
        raise EntriesChanged(
            f"an entry of tournament {row.name!r} was withdrawn meanwhile: choose its blocks anew"
        )


def _begun(session: Session, tournament_id: int, request: Request | None) -> TournamentRow:
    row = tournaments.require(session, tournament_id)
    requests.claim(session, request, row.name)
    return row


def _require_undrawn(session: Session, row: TournamentRow) -> None:
    if row.cancelled_at is not None:
        raise TournamentOver(f"tournament {row.name!r} was cancelled: nobody can take part")
    if session.scalar(select(exists().where(MatchRow.tournament_id == row.id))):
        raise EntryClosed(f"the schedule of tournament {row.name!r} is drawn: entry is over")


def _require_open(session: Session, row: TournamentRow) -> None:
    _require_undrawn(session, row)
    if not row.entry_open:
        raise EntryClosed(
            f"entry of tournament {row.name!r} is closed: its organiser may open it again"
        )


def _check_fit(session: Session, row: TournamentRow, version: BotVersion) -> None:
    require_in_use(session, [version.id])
    if row.game not in version.games:
        raise EntryRefused(f"{version.bot} plays {', '.join(version.games)}, not {row.game}")


def _entries(session: Session, row: TournamentRow) -> list[tuple[EntryRow, VersionRow, BotRow]]:
    query = (
        select(EntryRow, VersionRow, BotRow)
        .join(VersionRow, EntryRow.version_id == VersionRow.id)
        .join(BotRow, VersionRow.bot_id == BotRow.id)
        .where(EntryRow.tournament_id == row.id)
        .order_by(EntryRow.position)
    )
    return [(entry, version, bot) for entry, version, bot in session.execute(query)]


def _entry(session: Session, row: TournamentRow, bot: str) -> EntryRow:
    name, _, number = bot.partition(":")
    found = [
        (entry, f"{of.name}:{version.number}")
        for entry, version, of in _entries(session, row)
        if of.name == name and number in {"", str(version.number)}
    ]
    if not found:
        raise NotFound(f"bot {bot!r} does not take part in tournament {row.name!r}")
    if len(found) > 1:
        several = ", ".join(text for _, text in found)
        raise InvalidRecord(f"{bot} has several versions there, say which: {several}")
    return found[0][0]
