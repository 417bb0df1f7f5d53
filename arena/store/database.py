"""Transactions: any number of readers, one writer at a time, from any thread or process."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from arena.store.translate import translated

_BEGIN = "arena_begin"
"""The execution option that says how a transaction starts in SQLite."""


class Database:
    """One database, reached through a pool; a transaction is `with db.read()` or `db.write()`.

    A reader sees one unchanging state and never waits. A writer takes SQLite's write lock when it
    begins (BEGIN IMMEDIATE): were it to read first and lock later, two writers could each wait
    for the other. What goes wrong is raised as a StoreError that names `folder`.
    """

    def __init__(self, url: URL, folder: Path, *, busy_timeout: float) -> None:
        """`busy_timeout` in seconds: how long a writer waits for one in another process."""
        self.folder = folder
        self._engine = create_engine(
            url,
            json_serializer=partial(json.dumps, allow_nan=False, separators=(",", ":")),
            max_overflow=-1,  # a connection for each thread that calls: readers never queue
        )
        self._writing = self._engine.execution_options(**{_BEGIN: "IMMEDIATE"})
        # SQLite's waiting is a sleep in a loop and lets late comers pass; within one process a
        # plain lock is fair and wakes at once.
        self._writer = threading.Lock()
        if self._engine.dialect.name == "sqlite":
            _prepare_sqlite(self._engine, busy_timeout)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A transaction that only reads."""
        with translated(self.folder), Session(self._engine) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction that writes: all of it or, if anything is raised, nothing."""
        with self._writer, translated(self.folder), Session(self._writing) as session:
            yield session
            session.commit()

    def close(self) -> None:
        """Close the pooled connections."""
        self._engine.dispose()


def _prepare_sqlite(engine: Engine, busy_timeout: float) -> None:
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
