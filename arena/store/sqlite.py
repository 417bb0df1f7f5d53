"""What only SQLite needs: how its transactions start, and what its errors mean."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, event
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from arena.store.errors import StoreDamaged, StoreError, StoreLocked
from arena.store.explain import failed, first_line, full, not_writable, without_room

#: A connection for each thread that calls: readers never queue.
POOL: Final[dict[str, object]] = {"max_overflow": -1}

_BEGIN: Final = "arena_begin"
"""The execution option that says how a transaction starts."""


def sides(engine: Engine, busy_timeout: float) -> tuple[Engine, Engine]:
    """Readers begin without a lock; writers take the write lock (BEGIN IMMEDIATE)."""

    @event.listens_for(engine, "connect")
    def on_connect(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # the driver must not begin transactions by itself
        for pragma in (
            f"busy_timeout = {round(busy_timeout * 1000)}",
            "journal_mode = WAL",
            "synchronous = FULL",  # a result that was reported as recorded survives a power cut
            "foreign_keys = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(
            f"BEGIN {connection.get_execution_options().get(_BEGIN, 'DEFERRED')}"
        )

    return engine, engine.execution_options(**{_BEGIN: "IMMEDIATE"})


def begin_writing(session: Session) -> None:
    """Nothing is left to do: a writer's transaction begins with the lock."""


def explained(cause: sqlite3.Error, folder: Path) -> StoreError:
    """What an error of SQLite's means to a person."""
    code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreLocked(
                f"the store at {folder} is held by another process: "
                "try again when that one has ended"
            )
        case sqlite3.SQLITE_FULL:
            return full(folder)
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR if without_room(folder):
            return full(folder)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return not_writable(folder, first_line(cause))
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return StoreDamaged(
                f"the database of the store at {folder} is damaged ({first_line(cause)}): "
                "move the folder away and start anew, or put a backup in its place"
            )
        case _:
            return failed(cause, folder)
