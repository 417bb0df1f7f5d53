"""Authors, tokens and the audit log as messages, and back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from arena.store import AuditEntry, Author, Role, Token
from arena.wire import accounts as wire
from arenabot.v1 import arena_pb2 as pb

THEN = datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)
TOKEN = Token(7, "ana", "laptop", THEN, None, None)


@pytest.mark.parametrize("role", Role)
def test_an_author_comes_back(role: Role) -> None:
    """Of a locked one it isn't told since when."""
    author = Author("ana", role, THEN, None)
    assert wire.author_record(wire.author(author)) == author
    assert wire.author_record(wire.author(replace(author, locked=THEN))).locked is not None


@pytest.mark.parametrize("token", [TOKEN, replace(TOKEN, last_used=THEN, revoked=THEN)])
def test_a_token_comes_back(token: Token) -> None:
    """Times that are none as well."""
    assert wire.token_record(wire.token(token)) == token


@pytest.mark.parametrize(("author", "token"), [("ana", 7), (None, None)])
def test_an_audit_entry_comes_back(author: str | None, token: int | None) -> None:
    """But for its number, which is the store's own."""
    entry = AuditEntry(author, token, "BotService/RetireBot", "greedy", "OK", "ipv4:x:1", 9, THEN)
    assert wire.audit_record(wire.audit_entry(entry)) == replace(entry, id=0)


def test_every_role_has_its_number() -> None:
    """And one that isn't known here is none."""
    assert {wire.role(number) for number in wire.ROLES.values()} == set(Role)
    assert set(wire.ROLES.values()) == set(pb.Role.values()) - {pb.ROLE_UNSPECIFIED}
    assert wire.role(pb.ROLE_UNSPECIFIED) is None
