"""What only PostgreSQL needs: how its transactions start, and what its errors mean."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from arena.store.errors import (
    InvalidRecord,
    StoreError,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreUnavailable,
)
from arena.store.explain import failed, first_line

PATIENCE: Final[dict[str, object]] = {
    # Seconds for a connection to be made.
    "connect_timeout": 10,
    # Seconds of silence after which it is asked for, how often, and how many questions may be lost.
    "keepalives": 1,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    # Milliseconds in which what was sent must have been received.
    "tcp_user_timeout": 60_000,
}
"""By which a call fails within about a minute when the server's machine vanishes without a word.

Else it would wait for the kernel, which takes hours. A server that lives may think as long as it
likes. Under libpq's names."""

#: Fewer connections than a server allows; one that the server dropped is replaced before its use.
POOL: Final[dict[str, object]] = {
    "pool_size": 5,
    "max_overflow": 15,
    "pool_pre_ping": True,
    "connect_args": PATIENCE,
}

_WRITER: Final = 0x636C61696D  # "claim"
"""The advisory lock that makes writers follow each other."""
_PATIENCE: Final = "arena_patience"
"""The execution option that says how many milliseconds a writer waits for it."""

_NO_ANSWER: Final = "no answer"
_OF_STORE: Final = "the PostgreSQL database of the store at {folder}"
_CORRECT: Final = "or correct ARENA_DATABASE"
_SAFE: Final = "what was recorded before is safe"
_MEANINGS: Final[dict[str, tuple[type[StoreError], str]]] = {
    # It never came to a connection: no server, no such role or database, a wrong password; or the
    # connection broke off.
    _NO_ANSWER: (
        StoreUnavailable,
        f"{_OF_STORE} can't be reached ({{why}}): see to that, {_CORRECT}; {_SAFE}",
    ),
    # By the server's code, or by the two characters of its class.
    "55P03": (
        StoreLocked,
        f"{_OF_STORE} is held by another process: try again when that one has ended",
    ),
    "53100": (
        StoreFull,
        f"no space is left for {_OF_STORE}: free some and run this again; {_SAFE}",
    ),
    **dict.fromkeys(
        # Connection lost; no connections or memory left; shutting down.
        ("08", "53", "57"),
        (
            StoreUnavailable,
            f"{_OF_STORE} is not available now ({{why}}): run this again when it is; {_SAFE}",
        ),
    ),
    **dict.fromkeys(
        # No right to, or a server that is read-only.
        ("42501", "25006"),
        (
            StoreUnavailable,
            f"{_OF_STORE} can't be written ({{why}}): give the role the right to, {_CORRECT}",
        ),
    ),
    "22": (InvalidRecord, "the store can't hold such a value: {why}"),
}


def sides(engine: Engine, busy_timeout: float) -> tuple[Engine, Engine]:
    """Readers see one snapshot to their end.

    Writers see what was committed before each of their statements, and, holding the lock, that is
    what the writer before them left.
    """
    reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    writing = engine.execution_options(
        isolation_level="READ COMMITTED", **{_PATIENCE: max(1, round(busy_timeout * 1000))}
    )
    return reading, writing


def begin_writing(session: Session) -> None:
    """Take the writers' lock; it goes with the transaction, also when the process dies."""
    patience = session.connection().get_execution_options()[_PATIENCE]
    session.execute(text(f"SET LOCAL lock_timeout = {int(patience)}"))
    session.execute(text(f"SELECT pg_advisory_xact_lock({_WRITER})"))


def explained(cause: BaseException, folder: Path) -> StoreError:
    """What an error of the driver's or the server's means to a person."""
    # The driver itself refuses a NUL in a text, without a code.
    without = "22" if type(cause).__name__ == "DataError" else _NO_ANSWER
    state = getattr(cause, "sqlstate", None) or without
    known = _MEANINGS.get(state) or _MEANINGS.get(state[:2])
    if known is None:
        return failed(cause, folder)
    kind, sentence = known
    return kind(sentence.format(folder=folder, why=first_line(cause)))


def elsewhere(folder: Path) -> StoreForeign:
    """Say that database and folder don't belong together."""
    return StoreForeign(
        f"the PostgreSQL database belongs to a store in another folder than {folder}: set "
        "ARENA_HOME to that folder, or ARENA_DATABASE to another database"
    )
