"""Authors and their tokens: who may call a server, and what they show to be known."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from arena.store.database import Database
from arena.store.errors import Conflict, LastAdmin, NameTaken, NotFound, StoreError
from arena.store.records import Role
from arena.store.requests import Request, claim
from arena.store.schema import AuthorRow, TokenRow
from arena.store.texts import checked

MOST_TOKENS = 100
"""How many tokens that still work an author may have."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who may call a server."""

    name: str
    role: Role
    created: datetime
    #: Since when all tokens are refused; None: they aren't.
    locked: datetime | None


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token, which itself nobody knows but its owner."""

    id: int
    author: str
    name: str
    created: datetime
    #: To the hour; None if it never was.
    last_used: datetime | None
    revoked: datetime | None


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token to be kept: what its owner calls it, and its SHA-256, 64 hex digits."""

    name: str
    hash: str


@dataclass(frozen=True, slots=True)
class Known:
    """Whom a token stands for."""

    author: Author
    token: Token


class Accounts:
    """The store's authors and tokens; as with the store, each method is one transaction."""

    def __init__(self, database: Database) -> None:
        """Keep them in `database`."""
        self._database = database

    # Authors

    def has_admin(self) -> bool:
        """Whether there is an admin who isn't locked out."""
        with self._database.read() as session:
            return _admins(session) > 0

    def author(self, name: str) -> Author:
        """The author of that name. Raises NotFound."""
        with self._database.read() as session:
            return _author(_row(session, name))

    def authors(self) -> list[Author]:
        """All authors, by name."""
        with self._database.read() as session:
            found = [_author(row) for row in session.scalars(select(AuthorRow))]
        return sorted(found, key=lambda author: author.name)

    def add_author(
        self, name: str, role: Role, token: NewToken, *, request: Request | None = None
    ) -> Known:
        """Add an author with a first token. Raises NameTaken, InvalidRecord, AlreadyDone(hash)."""
        checked("author", name)
        with self._database.write() as session:
            claim(session, request, token.hash)
            if session.get(AuthorRow, name) is not None:
                raise NameTaken(f"there is an author {name!r} already: choose another name")
            row = AuthorRow(name=name, role=role.value, created=datetime.now(UTC))
            session.add(row)
            session.flush()
            return Known(_author(row), _add_token(session, name, token))

    def set_admin(self, name: str, token: NewToken) -> Known:
        """Let `name` be an admin with another token, whoever it was before."""
        checked("author", name)
        with self._database.write() as session:
            row = session.get(AuthorRow, name)
            if row is None:
                row = AuthorRow(name=name, created=datetime.now(UTC))
                session.add(row)
            row.role, row.locked_at = Role.ADMIN.value, None
            session.flush()
            return Known(_author(row), _add_token(session, name, token))

    def update_author(
        self,
        name: str,
        *,
        role: Role | None = None,
        locked: bool | None = None,
        request: Request | None = None,
    ) -> Author:
        """Change a role, or lock an author out or in again; None: as it is.

        Raises NotFound, LastAdmin, AlreadyDone(name).
        """
        with self._database.write() as session:
            claim(session, request, name)
            row = _row(session, name)
            before = _admins(session)
            if role is not None:
                row.role = role.value
            if locked is not None:
                row.locked_at = (row.locked_at or datetime.now(UTC)) if locked else None
            session.flush()
            if before and not _admins(session):
                raise LastAdmin(f"{name} is the last admin: make another one first")
            return _author(row)

    # Tokens

    def add_token(self, author: str, token: NewToken, *, request: Request | None = None) -> Token:
        """Keep another token of an author.

        Raises NotFound, InvalidRecord, AlreadyDone(hash), and Conflict if there are too many.
        """
        with self._database.write() as session:
            claim(session, request, token.hash)
            _row(session, author)
            return _add_token(session, author, token)

    def token(self, id_: int) -> Token:
        """The token of that number. Raises NotFound."""
        with self._database.read() as session:
            return _token(_token_row(session, id_))

    def token_of(self, hash_: str) -> Token:
        """The token of that SHA-256. Raises NotFound."""
        with self._database.read() as session:
            row = session.scalar(select(TokenRow).where(TokenRow.hash == hash_))
            if row is None:
                raise NotFound("there is no such token")
            return _token(row)

    def tokens(self, author: str, *, after: int = 0, most: int | None = None) -> list[Token]:
        """An author's tokens by number, from the one behind `after`. Raises NotFound."""
        with self._database.read() as session:
            _row(session, author)
            query = select(TokenRow).where(TokenRow.author == author, TokenRow.id > after)
            rows = session.scalars(query.order_by(TokenRow.id).limit(most))
            return [_token(row) for row in rows]

    def revoke(self, id_: int, *, request: Request | None = None) -> Token:
        """Make a token worthless; twice is the same as once. Raises NotFound, AlreadyDone(id)."""
        with self._database.write() as session:
            claim(session, request, str(id_))
            row = _token_row(session, id_)
            row.revoked_at = row.revoked_at or datetime.now(UTC)
            return _token(row)

    def known(self, hash_: str) -> Known | None:
        """Whom the token of that SHA-256 stands for, and note the hour.

        None if there is none, it was revoked, or its author is locked out. It writes no more than
        once an hour, and leaves that to a later call while others write.
        """
        now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
        with self._database.read() as session:
            found = _known(session, hash_)
        if found is None or found.token.last_used == now or self._database.busy:
            return found
        # To be let in matters more than the hour: a full disk keeps nobody from looking.
        with suppress(StoreError), self._database.write() as session:
            row = session.get_one(TokenRow, found.token.id)
            row.last_used = now
        return found


def _known(session: Session, hash_: str) -> Known | None:
    query: Select[TokenRow, AuthorRow] = select(TokenRow, AuthorRow).join(
        AuthorRow, AuthorRow.name == TokenRow.author
    )
    works = (TokenRow.revoked_at.is_(None), AuthorRow.locked_at.is_(None))
    row = session.execute(query.where(TokenRow.hash == hash_, *works)).one_or_none()
    return None if row is None else Known(_author(row[1]), _token(row[0]))


def _admins(session: Session) -> int:
    """How many admins are not locked out."""
    query = select(func.count()).where(
        AuthorRow.role == Role.ADMIN.value, AuthorRow.locked_at.is_(None)
    )
    return session.scalar(query) or 0


def _row(session: Session, name: str) -> AuthorRow:
    row = session.get(AuthorRow, name)
    if row is None:
        raise NotFound(f"there is no author {name!r}")
    return row


def _token_row(session: Session, id_: int) -> TokenRow:
    row = session.get(TokenRow, id_)
    if row is None:
        raise NotFound(f"there is no token {id_}")
    return row


def _add_token(session: Session, author: str, token: NewToken) -> Token:
    checked("token name", token.name)
    works = (TokenRow.author == author, TokenRow.revoked_at.is_(None))
    if (session.scalar(select(func.count()).where(*works)) or 0) >= MOST_TOKENS:
        raise Conflict(f"{author} has {MOST_TOKENS} tokens already: revoke one first")
    row = TokenRow(author=author, name=token.name, hash=token.hash, created=datetime.now(UTC))
    session.add(row)
    session.flush()
    return _token(row)


def _author(row: AuthorRow) -> Author:
    return Author(row.name, Role(row.role), row.created, row.locked_at)


def _token(row: TokenRow) -> Token:
    return Token(row.id, row.author, row.name, row.created, row.last_used, row.revoked_at)
