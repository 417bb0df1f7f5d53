"""Authors, tokens and the audit log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from arena.store import AuditEntry, Author, Role, Token
from arenabot.v1 import arena_pb2 as pb

ROLES: Final = {
    Role.AUTHOR: pb.ROLE_AUTHOR,
    Role.ORGANISER: pb.ROLE_ORGANISER,
    Role.ADMIN: pb.ROLE_ADMIN,
}
"""Each role as the messages have it."""

_ROLES_READ: Final = {number: role for role, number in ROLES.items()}


def role(number: pb.Role.ValueType) -> Role | None:
    """Read a role; None if it is unset, or of a newer protocol."""
    return _ROLES_READ.get(number)


def author(record: Author) -> pb.Author:
    """Write an author; when it was locked out is not told."""
    return pb.Author(
        name=record.name,
        role=ROLES[record.role],
        created=_time(record.created),
        locked=record.locked is not None,
    )


def author_record(message: pb.Author) -> Author:
    """Read an author; of a locked one it isn't known since when."""
    created = _when(message.created)
    found = role(message.role) or Role.AUTHOR
    return Author(message.name, found, created, created if message.locked else None)


def token(record: Token) -> pb.Token:
    """Write a token."""
    return pb.Token(
        id=record.id,
        author=record.author,
        name=record.name,
        created=_time(record.created),
        last_used=_time(record.last_used),
        revoked=_time(record.revoked),
    )


def token_record(message: pb.Token) -> Token:
    """Read a token."""
    return Token(
        id=message.id,
        author=message.author,
        name=message.name,
        created=_when(message.created),
        last_used=_when(message.last_used) if message.HasField("last_used") else None,
        revoked=_when(message.revoked) if message.HasField("revoked") else None,
    )


def audit_entry(record: AuditEntry) -> pb.AuditEntry:
    """Write an entry of the audit log; its number stays here."""
    return pb.AuditEntry(
        at=_time(record.at),
        author=record.author or "",
        token=record.token or 0,
        method=record.method,
        target=record.target,
        outcome=record.outcome,
        peer=record.peer,
    )


def audit_record(message: pb.AuditEntry) -> AuditEntry:
    """Read an entry of the audit log; its number is not known."""
    return AuditEntry(
        id=0,
        at=_when(message.at),
        author=message.author or None,
        token=message.token or None,
        method=message.method,
        target=message.target,
        outcome=message.outcome,
        peer=message.peer,
    )


def _time(when: datetime | None) -> Timestamp | None:
    if when is None:
        return None
    made = Timestamp()
    made.FromDatetime(when)
    return made


def _when(time: Timestamp) -> datetime:
    return time.ToDatetime(tzinfo=UTC)
