"""Authors, tokens and the audit log of a server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from arena.app.accounts import Issued
from arena.client.calling import PAGE, Connection
from arena.store import AuditEntry, Author, Role, Token
from arena.wire import accounts as wire
from arenabot.v1 import arena_pb2 as pb


class ServerRegistry:
    """The registry of a server; see `Registry`."""

    def __init__(self, server: Connection) -> None:
        """Ask `server`, which knows who asks."""
        self._server = server
        self._admin = server.admin

    def add_author(self, name: str, role: Role) -> Issued:
        """Add an author with a first token."""
        asked = pb.CreateAuthorRequest(name=name, role=wire.ROLES[role])
        return _issued(self._server.call(self._admin.CreateAuthor, asked))

    def authors(self) -> Sequence[Author]:
        """All authors, by name."""

        def of(page: Any) -> Iterable[pb.Author]:
            told: Iterable[pb.Author] = page.authors
            return told

        asked = pb.ListAuthorsRequest(page_size=PAGE)
        found = self._server.pages(self._admin.ListAuthors, asked, of)
        return [wire.author_record(author) for author in found]

    def set_author(self, name: str, role: Role | None, locked: bool | None) -> Author:
        """Change a role, or lock an author out or in again; None: as it is."""
        asked = pb.UpdateAuthorRequest(name=name, locked=locked)
        if role is not None:
            asked.role = wire.ROLES[role]
        answer = self._server.call(self._admin.UpdateAuthor, asked)
        return wire.author_record(answer.author)

    def add_token(self, author: str | None, name: str) -> Issued:
        """Make a token for an author, or for oneself."""
        asked = pb.CreateTokenRequest(author=author or "", name=name)
        return _issued(self._server.call(self._admin.CreateToken, asked))

    def tokens(self, author: str | None) -> Sequence[Token]:
        """An author's tokens, or one's own, by number."""

        def of(page: Any) -> Iterable[pb.Token]:
            told: Iterable[pb.Token] = page.tokens
            return told

        asked = pb.ListTokensRequest(author=author or "", page_size=PAGE)
        found = self._server.pages(self._admin.ListTokens, asked, of)
        return [wire.token_record(token) for token in found]

    def revoke(self, number: int) -> Token:
        """Make a token worthless."""
        answer = self._server.call(self._admin.RevokeToken, pb.RevokeTokenRequest(id=number))
        return wire.token_record(answer.token)

    def audit(self, author: str | None, most: int) -> Sequence[AuditEntry]:
        """What was changed, or refused: at most so many entries, the newest first."""

        def of(page: Any) -> Iterable[pb.AuditEntry]:
            told: Iterable[pb.AuditEntry] = page.entries
            return told

        asked = pb.ListAuditRequest(author=author or "", page_size=min(most, PAGE))
        found = self._server.pages(self._admin.ListAudit, asked, of)
        return [wire.audit_record(entry) for entry in islice(found, most)]

    def drain(self, drain: bool) -> None:
        """Have the server start nothing more, or go on after that."""
        self._server.call(self._admin.Drain, pb.DrainRequest(drain=drain))


def _issued(answer: Any) -> Issued:
    return Issued(wire.author_record(answer.author), wire.token_record(answer.token), answer.secret)
