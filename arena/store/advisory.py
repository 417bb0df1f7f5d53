"""Locks that PostgreSQL keeps for a connection: they hold between machines.

A connection of its own has the lock; the server lets go of it when that ends, whether its process
died or its machine went away. So whoever holds a lock looks all the time whether the connection
still lives, and the server is told to look for the holder, too.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from typing import Final

from sqlalchemy import URL, Connection, create_engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from arena.store.locks import Holder, LockHeld
from arena.store.postgresql import PATIENCE

_NAME: Final = "claim-arena"
"""By which a holder's connection is known, before its process and machine."""
_LOOK: Final = 1.0
"""Seconds between two looks whether the connection lives."""
_GRACE: Final = 3.0
"""Seconds that the server may need to notice that a holder was killed."""
_PAUSE: Final = 0.1

_IMPATIENCE: Final[dict[str, object]] = {
    **PATIENCE,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "tcp_user_timeout": 10_000,
}
"""By which a holder notices within about 10 seconds that the server's machine vanished."""
_TO_SERVER: Final = (
    "SET tcp_keepalives_idle = 5",
    "SET tcp_keepalives_interval = 2",
    "SET tcp_keepalives_count = 3",
)
"""By which the server notices that a holder's machine vanished; then another may have the lock."""

_HOLDER: Final = text(
    "SELECT application_name, backend_start FROM pg_stat_activity JOIN pg_locks USING (pid) "
    "WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND database = "
    "(SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND (classid::bigint << 32 | objid::bigint) = :key"
)


class AdvisoryLock:
    """An advisory lock, held from its making until `close`.

    Raises LockHeld if another holds it, and what SQLAlchemy raises if there is no server.
    """

    def __init__(self, url: URL, name: str, *, on_lost: Callable[[Exception], None]) -> None:
        """Take the lock of that name; `on_lost` hears, in a thread, of a connection that died."""
        holder = Holder.current()
        told = {**_IMPATIENCE, "application_name": f"{_NAME} {holder.pid} {holder.host}"[:63]}
        engine = create_engine(
            url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=told
        )
        self._connection = engine.connect()
        try:
            _take(self._connection, _key(name))
        except BaseException:
            self._connection.close()
            raise
        self._on_lost = on_lost
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._look, name=f"lock {name}", daemon=True)
        self._watch.start()

    def close(self) -> None:
        """Hold it no longer."""
        self._ended.set()
        self._watch.join()
        self._connection.close()

    def _look(self) -> None:
        while not self._ended.wait(_LOOK):
            try:
                self._connection.execute(text("SELECT 1"))
            except SQLAlchemyError as error:
                # SQLAlchemy would connect anew for the next question, and without the lock.
                self._connection.invalidate()
                self._on_lost(error)
                return


def _take(connection: Connection, key: int) -> None:
    for setting in _TO_SERVER:
        connection.execute(text(setting))
    deadline = time.monotonic() + _GRACE
    while not connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": key}):
        if time.monotonic() > deadline:
            raise LockHeld(_holder(connection, key))
        time.sleep(_PAUSE)


def _holder(connection: Connection, key: int) -> Holder | None:
    found = connection.execute(_HOLDER, {"key": key}).first()
    if found is None or not found.application_name.startswith(_NAME):
        return None
    pid, host = found.application_name.split()[1:3]
    return Holder(int(pid), host, found.backend_start)


def _key(name: str) -> int:
    """A number of 64 bits, as PostgreSQL wants it."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
