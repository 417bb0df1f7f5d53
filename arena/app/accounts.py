"""Who may call a server: authors and their tokens, and the token of whoever owns the machine."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.app.errors import WrongCall
from arena.store import AlreadyDone, Author, NewToken, Request, Role, Store, Token
from arena.store.translate import translated

LOCAL: Final = "local"
"""The author of whatever is done without a server, and the first admin of one."""

FIRST_TOKEN: Final = "first"  # noqa: S105 - a name
"""What the token is called with which an author begins."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_LONGEST_TOKEN_NAME = 64
_TOKEN_FILE = "token"  # noqa: S105 - a file's name


@dataclass(frozen=True, slots=True)
class Issued:
    """A token that was made for an author; `secret` is the token itself, told this once.

    It is empty where the same request came before: then it was told already.
    """

    author: Author
    token: Token
    secret: str = field(repr=False)


def add_author(store: Store, name: str, role: Role, *, request: Request | None = None) -> Issued:
    """Add an author with a first token. Raises WrongCall, NameTaken, RequestReused."""
    if not _NAME.fullmatch(name):
        raise WrongCall(
            f"{name[:60]!a} is no author's name: 1 to 32 of a-z, 0-9 and -, starting with a letter"
        )
    secret = new_secret()
    try:
        made = store.accounts.add_author(
            name, role, NewToken(FIRST_TOKEN, hashed(secret)), request=request
        )
    except AlreadyDone as done:
        return _issued_before(store, done)
    return Issued(made.author, made.token, secret)


def set_author(
    store: Store,
    name: str,
    *,
    role: Role | None = None,
    locked: bool | None = None,
    request: Request | None = None,
) -> Author:
    """Change a role, or lock an author out or in again; None: as it is.

    Raises NotFound, LastAdmin, RequestReused.
    """
    try:
        return store.accounts.update_author(name, role=role, locked=locked, request=request)
    except AlreadyDone as done:
        return store.accounts.author(done.target)


def add_token(store: Store, author: str, name: str, *, request: Request | None = None) -> Issued:
    """Make a token for an author. Raises WrongCall, NotFound, Conflict, RequestReused."""
    if not (0 < len(name) <= _LONGEST_TOKEN_NAME and name.isprintable() and name == name.strip()):
        raise WrongCall(
            f"a token's name is 1 to {_LONGEST_TOKEN_NAME} printable characters without blanks at "
            "either end, like laptop"
        )
    secret = new_secret()
    try:
        made = store.accounts.add_token(author, NewToken(name, hashed(secret)), request=request)
    except AlreadyDone as done:
        return _issued_before(store, done)
    return Issued(store.accounts.author(author), made, secret)


def revoke_token(store: Store, id_: int, *, request: Request | None = None) -> Token:
    """Make a token worthless. Raises NotFound, RequestReused."""
    try:
        return store.accounts.revoke(id_, request=request)
    except AlreadyDone as done:
        return store.accounts.token(int(done.target))


def _issued_before(store: Store, done: AlreadyDone) -> Issued:
    token = store.accounts.token_of(done.target)
    return Issued(store.accounts.author(token.author), token, "")


def new_secret() -> str:
    """A token: 256 random bits."""
    return "arena_" + base64.urlsafe_b64encode(secrets.token_bytes(32)).decode().rstrip("=")


def hashed(secret: str) -> str:
    """What the store keeps of a token: so many random bits need no salt and no slow hash."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def first_admin(store: Store) -> str | None:
    """Make `local` an admin if there is none, and keep its token for this machine's user.

    Returns the token if one was made, so that it can be told once.
    """
    if store.accounts.has_admin():
        return None
    secret = new_secret()
    # The file first: a token that nobody knows of would be an admin that nobody can be.
    _keep(store.folder, secret)
    store.accounts.set_admin(LOCAL, NewToken("this machine", hashed(secret)))
    return secret


def local_token(folder: Path) -> str | None:
    """The token that a server on this machine left in its store's folder for its own user."""
    try:
        return (folder / _TOKEN_FILE).read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def _keep(folder: Path, secret: str) -> None:
    """Write the token for its owner alone, whole or not at all."""
    with translated(folder):
        handle, made = tempfile.mkstemp(dir=folder, prefix=f".{_TOKEN_FILE}.")  # mode 0600
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(secret + "\n")
            file.flush()
            os.fsync(handle)
        Path(made).replace(folder / _TOKEN_FILE)
