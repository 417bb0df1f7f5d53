"""Authors, tokens and the audit log, as commands ask for them: of a store, or of a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from arena.app import accounts
from arena.app.accounts import Issued
from arena.store import AuditEntry, Author, Role, Store, Token


class Registry(Protocol):
    """Who may do what. All may raise ArenaError or StoreError."""

    def add_author(self, name: str, role: Role) -> Issued:
        """Add an author with a first token."""

    def authors(self) -> Sequence[Author]:
        """All authors, by name."""

    def set_author(self, name: str, role: Role | None, locked: bool | None) -> Author:
        """Change a role, or lock an author out or in again; None: as it is."""

    def add_token(self, author: str | None, name: str) -> Issued:
        """Make a token for an author, or for oneself."""

    def tokens(self, author: str | None) -> Sequence[Token]:
        """An author's tokens, or one's own, by number."""

    def revoke(self, number: int) -> Token:
        """Make a token worthless."""

    def audit(self, author: str | None, most: int) -> Sequence[AuditEntry]:
        """What was changed, or refused: at most so many entries, the newest first."""


class StoreRegistry:
    """The registry of a store, for whoever owns this machine; see `Registry`."""

    def __init__(self, store: Store) -> None:
        """Of `store`, in which one's own author is the local one."""
        self._store = store

    def add_author(self, name: str, role: Role) -> Issued:
        """Add an author with a first token."""
        return accounts.add_author(self._store, name, role)

    def authors(self) -> Sequence[Author]:
        """All authors, by name."""
        return self._store.accounts.authors()

    def set_author(self, name: str, role: Role | None, locked: bool | None) -> Author:
        """Change a role, or lock an author out or in again; None: as it is."""
        return accounts.set_author(self._store, name, role=role, locked=locked)

    def add_token(self, author: str | None, name: str) -> Issued:
        """Make a token for an author, or for oneself."""
        return accounts.add_token(self._store, author or accounts.LOCAL, name)

    def tokens(self, author: str | None) -> Sequence[Token]:
        """An author's tokens, or one's own, by number."""
        return self._store.accounts.tokens(author or accounts.LOCAL)

    def revoke(self, number: int) -> Token:
        """Make a token worthless."""
        return accounts.revoke_token(self._store, number)

    def audit(self, author: str | None, most: int) -> Sequence[AuditEntry]:
        """What was changed, or refused: at most so many entries, the newest first."""
        return self._store.audit.entries(author, most=most)
