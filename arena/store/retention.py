"""What is not to be kept for ever, and removing it: replays, logs, rejected archives, notes.

What results and ratings come from is never touched, nor what belongs to a tournament that is not
over, nor a blob that anything else still needs: equal bytes are one blob. What is removed leaves a
note, so that who asks for it is told that it was removed, and not that it is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, delete, func, insert, select
from sqlalchemy.orm import Session

from arena.store import tournaments
from arena.store.blobs import BlobFolder
from arena.store.database import Database
from arena.store.records import BlobKey, SubmissionState, TournamentState
from arena.store.schema import (
    AuditRow,
    Base,
    PersonMatchRow,
    PrunedRow,
    RequestRow,
    ResultRow,
    SeatRow,
    SubmissionRow,
    TournamentRow,
    same_match,
)

_FRESH: Final = 3600.0
"""Seconds in which whoever has just kept a blob will have recorded what names it."""
_BY_MISTAKE: Final = 86_400.0
"""Seconds after which a blob that nothing names was kept by somebody who died."""
_PART: Final = 500
"""How many keys go into one statement."""
_OVER: Final = {TournamentState.FINISHED, TournamentState.CANCELLED}


@dataclass(frozen=True, slots=True)
class Policy:
    """For how many days something is kept; None is for ever.

    `replays` and `logs` count from when a match was recorded, and only in tournaments that are
    over; `replays` has those of matches that people played as well, `logs` those of submissions
    that became versions. `rejected` is for archive and log of a submission that did not. `audit`
    and `requests` are notes of who did what, and of changes that are not to be made twice.
    """

    replays: int | None = None
    logs: int | None = None
    rejected: int | None = None
    audit: int | None = None
    requests: int | None = None


@dataclass(frozen=True, slots=True)
class Swept:
    """What was removed, or would be. `blobs` are replays, logs and archives whose time is over.

    `unnamed` are blobs of writers that died before they could record what they were for.
    """

    blobs: int
    unnamed: int
    audit: int
    requests: int


class Retention:
    """Removes what need not be kept; part of a `Store`, see there."""

    def __init__(self, database: Database, blobs: BlobFolder) -> None:
        """Of this database and these blobs."""
        self._database = database
        self._blobs = blobs

    def sweep(self, policy: Policy, now: datetime, *, dry_run: bool = False) -> Swept:
        """Remove what the policy no longer keeps at the time `now`, or only count it.

        May be killed at any moment and be called again. Others may go on writing.
        """
        if dry_run:
            return self._would_sweep(policy, now)
        with self._database.write() as session:
            gone = _expired(session, policy, now)
            self._note(session, gone, now)
            audit, requests = (_remove(session, notes) for notes in _old_notes(policy, now))
        # The notes first: a blob without its note would be missing, while a note about a blob that
        # is still there does no harm.
        blobs = self._blobs.remove(gone, fresh=_FRESH)
        there = set(self._blobs.keys())
        with self._database.read() as session:
            there -= _named(session)
        unnamed = self._blobs.remove(there, fresh=_BY_MISTAKE)
        return Swept(blobs, unnamed, audit, requests)

    def _would_sweep(self, policy: Policy, now: datetime) -> Swept:
        there = set(self._blobs.keys())
        with self._database.read() as session:
            gone = _expired(session, policy, now)
            audit, requests = (_count(session, notes) for notes in _old_notes(policy, now))
            unnamed = there - _named(session)
        stale = sum(self._blobs.is_stale(key, _BY_MISTAKE) for key in unnamed)
        return Swept(len(gone & there), stale, audit, requests)

    def _note(self, session: Session, gone: set[BlobKey], now: datetime) -> None:
        """Leave a note for each that goes, and take back those about what was kept anew."""
        noted = set(session.scalars(select(PrunedRow.blob)))
        new = [{"blob": key, "at": now} for key in sorted(gone - noted)]
        if new:
            session.execute(insert(PrunedRow), new)
        again = [key for key in sorted(noted - gone) if self._blobs.path(key).exists()]
        for at in range(0, len(again), _PART):
            session.execute(delete(PrunedRow).where(PrunedRow.blob.in_(again[at : at + _PART])))

    def removed(self) -> frozenset[BlobKey]:
        """All blobs that were removed on purpose, as far as it is still noted."""
        with self._database.read() as session:
            return frozenset(session.scalars(select(PrunedRow.blob)))

    def removed_at(self, key: BlobKey) -> datetime | None:
        """When the blob was removed on purpose; None if it wasn't."""
        with self._database.read() as session:
            found = session.get(PrunedRow, key)
            return None if found is None else found.at


def _expired(session: Session, policy: Policy, now: datetime) -> set[BlobKey]:
    """The blobs that are named only by what need not be kept."""
    gone: set[BlobKey] = set()
    queries = list(_old_blobs(session, policy, now))
    for query in queries:
        gone.update(key for key in session.scalars(query) if key is not None)
    if gone:
        # Whatever is named more often than what has expired names it is needed by something else.
        times = dict.fromkeys(gone, 0)
        for query in queries:
            for key in session.scalars(query):
                if key is not None:
                    times[key] -= 1
        for query in _all_names():
            for key in session.scalars(query):
                if key in times:
                    times[key] += 1
        gone = {key for key, kept in times.items() if kept == 0}
    return gone


def _old_blobs(session: Session, policy: Policy, now: datetime) -> Iterator[Select[Any]]:
    """One query for each column and tournament whose time is over; no row is met twice."""
    over = [
        id_
        for id_ in session.scalars(select(TournamentRow.id))
        if tournaments.progress(session, id_).state in _OVER
    ]
    replays, logs = _before(policy.replays, now), _before(policy.logs, now)
    for id_ in over:
        if replays is not None:
            yield select(ResultRow.replay).where(
                ResultRow.tournament_id == id_, ResultRow.recorded_at < replays
            )
        if logs is not None:
            yield (
                select(SeatRow.log)
                .join(ResultRow, same_match(ResultRow, SeatRow))
                .where(SeatRow.tournament_id == id_, ResultRow.recorded_at < logs)
            )
    if logs is not None:
        yield select(SubmissionRow.log).where(_ended(SubmissionState.READY, logs))
    if replays is not None:
        yield select(PersonMatchRow.replay).where(PersonMatchRow.ended < replays)
    rejected = _before(policy.rejected, now)
    if rejected is not None:
        for column in (SubmissionRow.archive, SubmissionRow.log):
            yield select(column).where(_ended(SubmissionState.REJECTED, rejected))


def _ended(state: SubmissionState, before: datetime) -> ColumnElement[bool]:
    return (SubmissionRow.state == state.value) & (SubmissionRow.updated < before)


def _before(days: int | None, now: datetime) -> datetime | None:
    return None if days is None else now.astimezone(UTC) - timedelta(days=days)


def _all_names() -> Iterator[Select[Any]]:
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            if column.info.get("blob"):
                yield select(column).where(column.is_not(None))


def _named(session: Session) -> set[BlobKey]:
    return {key for query in _all_names() for key in session.scalars(query)}


@dataclass(frozen=True, slots=True)
class _Notes:
    """The rows of a table that need not be kept; None if all are."""

    row: type[AuditRow | RequestRow]
    old: ColumnElement[bool] | None


def _old_notes(policy: Policy, now: datetime) -> Iterator[_Notes]:
    for row, days in ((AuditRow, policy.audit), (RequestRow, policy.requests)):
        before = _before(days, now)
        yield _Notes(row, None if before is None else row.at < before)


def _remove(session: Session, notes: _Notes) -> int:
    count = _count(session, notes)
    if notes.old is not None and count:
        session.execute(delete(notes.row).where(notes.old))
    return count


def _count(session: Session, notes: _Notes) -> int:
    if notes.old is None:
        return 0
    return session.scalar(select(func.count()).select_from(notes.row).where(notes.old)) or 0
