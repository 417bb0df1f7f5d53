"""Transactions: any number of readers, one writer at a time, from any thread or process."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import URL, Engine, create_engine
from sqlalchemy.orm import Session

from arena.store import postgresql, sqlite
from arena.store.errors import InvalidRecord
from arena.store.explain import first_line
from arena.store.translate import translated


class Kind(Protocol):
    """What differs between kinds of databases: a module of this room each."""

    #: How many connections the pool keeps, and the like: arguments for SQLAlchemy's engine.
    POOL: dict[str, object]

    def sides(self, engine: Engine, busy_timeout: float) -> tuple[Engine, Engine]:
        """Give the engine as those who only read use it, and as those who write."""

    def begin_writing(self, session: Session) -> None:
        """Become the only writer; waits for another one for the busy time-out."""


KINDS: dict[str, Kind] = {"sqlite": sqlite, "postgresql": postgresql}


class Database:
    """One database, reached through a pool; a transaction is `with db.read()` or `db.write()`.

    A reader sees one unchanging state and never waits. Writers follow each other, also those of
    other processes, and a writer takes the lock before it reads anything: were it to read first
    and lock later, two could each wait for the other, or decide on what is no longer so.
    What goes wrong is raised as a StoreError that names `folder`.
    """

    def __init__(self, url: URL, folder: Path, *, busy_timeout: float) -> None:
        """`busy_timeout` in seconds: how long a writer waits for one in another process."""
        self.folder = folder
        #: How it is reached, with its password.
        self.url = url
        #: Whether it lies elsewhere than the store's folder, so that the two could be mixed up.
        self.apart = url.get_backend_name() != "sqlite"
        self._kind = KINDS[url.get_backend_name()]
        self._engine = create_engine(
            url,
            json_serializer=_as_json,
            **self._kind.POOL,
        )
        self._reading, self._writing = self._kind.sides(self._engine, busy_timeout)
        # Within one process a plain lock is fair and wakes at once, which a database's may not be.
        self._writer = threading.Lock()

    @property
    def busy(self) -> bool:
        """Whether somebody in this process writes, so that one more writer would have to wait."""
        return self._writer.locked()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A transaction that only reads."""
        with translated(self.folder), Session(self._reading) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction that writes: all of it or, if anything is raised, nothing."""
        with self._writer, translated(self.folder), Session(self._writing) as session:
            self._kind.begin_writing(session)
            yield session
            session.commit()

    def close(self) -> None:
        """Close the pooled connections."""
        self._engine.dispose()


def _as_json(value: Any) -> str:
    """Write JSON.  Raises InvalidRecord here, since drivers differ in how they pass errors on."""
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise InvalidRecord(f"the store can't hold such a value: {first_line(error)}") from None
