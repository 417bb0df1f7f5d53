"""The audit log: who changed what through a server, or was refused."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import delete, select

from arena.store.database import Database
from arena.store.schema import AuditRow
from arena.store.texts import plain

_LONGEST_TARGET = 200


@dataclass(frozen=True, slots=True)
class NewAuditEntry:
    """A call that changed something, or was refused.

    `author` and `token` are None for a caller without a token; `target` is what it was about,
    `outcome` "OK" or the status and the reason, `peer` the address that it came from.
    """

    author: str | None
    token: int | None
    method: str
    target: str
    outcome: str
    peer: str


@dataclass(frozen=True, slots=True)
class AuditEntry(NewAuditEntry):
    """A call as it stands in the log; later calls have higher numbers."""

    id: int
    at: datetime


class Audit:
    """The store's audit log; as with the store, each method is one transaction."""

    def __init__(self, database: Database) -> None:
        """Keep it in `database`."""
        self._database = database

    def add(self, entry: NewAuditEntry) -> None:
        """Write an entry; its target may be anything that a stranger sent."""
        with self._database.write() as session:
            session.add(
                AuditRow(
                    at=datetime.now(UTC),
                    author=entry.author,
                    token_id=entry.token,
                    method=entry.method,
                    target=plain(entry.target[:_LONGEST_TARGET]),
                    outcome=entry.outcome,
                    peer=plain(entry.peer),
                )
            )

    def entries(
        self, author: str | None = None, *, before: int | None = None, most: int | None = None
    ) -> list[AuditEntry]:
        """What `author` or anybody did, the newest first, from the one behind number `before`."""
        query = select(AuditRow).order_by(AuditRow.id.desc()).limit(most)
        if author is not None:
            query = query.where(AuditRow.author == author)
        if before is not None:
            query = query.where(AuditRow.id < before)
        with self._database.read() as session:
            return [_entry(row) for row in session.scalars(query)]

    def forget(self, before: datetime) -> None:
        """Drop what is older."""
        with self._database.write() as session:
            session.execute(delete(AuditRow).where(AuditRow.at < before))


def _entry(row: AuditRow) -> AuditEntry:
    return AuditEntry(
        id=row.id,
        at=row.at,
        author=row.author,
        token=row.token_id,
        method=row.method,
        target=row.target,
        outcome=row.outcome,
        peer=row.peer,
    )
