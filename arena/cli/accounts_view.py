"""Authors, tokens and the audit log, shown."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from arena.app.accounts import Issued
from arena.cli.console import say, show_table
from arena.store import AuditEntry, Author, Token

#: As much of what an entry is about is shown; JSON has all of it.
_WIDEST = 40


def show_authors(authors: Sequence[Author]) -> None:
    """Print a table of authors."""
    if not authors:
        say("no authors yet: arena author add NAME adds one")
        return
    rows = [
        (author.name, author.role.value, _day(author.created), "locked" if author.locked else "")
        for author in authors
    ]
    show_table(("author", "role", "since", ""), rows)


def show_tokens(tokens: Sequence[Token]) -> None:
    """Print a table of tokens."""
    if not tokens:
        say("no tokens: arena token new NAME makes one")
        return
    rows = [
        (
            token.id,
            token.name,
            _day(token.created),
            _hour(token.last_used),
            "revoked" if token.revoked else "",
        )
        for token in tokens
    ]
    show_table(("number>", "token", "since", "last used", ""), rows)


def show_issued(issued: Issued) -> None:
    """Print a token that was made: the only time that it can be seen."""
    say(f"{issued.author.name}: {issued.author.role.value}, token {issued.token.name!r}")
    say(issued.secret, "bold")
    say("keep it: it is shown this once")


def author_document(author: Author) -> dict[str, Any]:
    """An author as JSON has it."""
    return {
        "name": author.name,
        "role": author.role.value,
        "created": author.created.isoformat(),
        "locked": author.locked is not None,
    }


def token_document(token: Token) -> dict[str, Any]:
    """A token as JSON has it."""
    return {
        "number": token.id,
        "author": token.author,
        "name": token.name,
        "created": token.created.isoformat(),
        "last_used": None if token.last_used is None else token.last_used.isoformat(),
        "revoked": None if token.revoked is None else token.revoked.isoformat(),
    }


def issued_document(issued: Issued) -> dict[str, Any]:
    """A token that was made, as JSON has it."""
    return {
        "author": author_document(issued.author),
        "token": token_document(issued.token),
        "secret": issued.secret,
    }


def show_audit(entries: Sequence[AuditEntry], author: str | None) -> None:
    """Print a table of what was done, by anybody or by one author."""
    if not entries:
        by = "" if author is None else f" by {author}"
        say(f"nothing was changed through a server{by} yet")
        return
    rows = [
        (
            f"{entry.at:%Y-%m-%d %H:%M:%S}",
            entry.author,
            entry.method,
            entry.target[:_WIDEST] + "..." * (len(entry.target) > _WIDEST),
            entry.outcome,
            entry.peer,
        )
        for entry in entries
    ]
    show_table(("UTC", "author", "call", "about", "outcome", "from"), rows)


def audit_document(entry: AuditEntry) -> dict[str, Any]:
    """An entry of the audit log as JSON has it."""
    return {
        "at": entry.at.isoformat(),
        "author": entry.author,
        "token": entry.token,
        "method": entry.method,
        "target": entry.target,
        "outcome": entry.outcome,
        "peer": entry.peer,
    }


def _day(when: datetime) -> str:
    return f"{when:%Y-%m-%d}"


def _hour(when: datetime | None) -> str | None:
    return None if when is None else f"{when:%Y-%m-%d %H}:00"
