"""A store held by one process alone: by a server as a whole, or one tournament by who plays it.

On one machine a lock file says who holds it. Where the database is a PostgreSQL server, which may
serve several machines, its own lock says so as well.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from sqlalchemy import URL

from arena.store.advisory import AdvisoryLock
from arena.store.errors import LeaseLost
from arena.store.explain import first_line
from arena.store.locks import exclusive


class Lease:
    """What somebody holds, and whether they still do.

    On SQLite it is never lost. On PostgreSQL it is when its connection dies: noticed within 2
    seconds, or 12 if the server's machine vanished without a word.
    """

    def __init__(self, what: str) -> None:
        """`what` is held, for people; see `hold`."""
        self._what = what
        self._lost: LeaseLost | None = None
        self._waiting: list[Callable[[LeaseLost], None]] = []
        self._guard = threading.Lock()

    @property
    def lost(self) -> LeaseLost | None:
        """Why it is no longer held; None while it is. What it protects must stop then."""
        return self._lost

    async def until_lost(self) -> LeaseLost:
        """Wait until it is lost, which may be never; may be cancelled."""
        loop = asyncio.get_running_loop()
        heard: asyncio.Future[LeaseLost] = loop.create_future()

        def hear(why: LeaseLost) -> None:
            if not heard.done():
                heard.set_result(why)

        def call(why: LeaseLost) -> None:
            loop.call_soon_threadsafe(hear, why)

        with self._guard:
            if self._lost:
                return self._lost
            self._waiting.append(call)
        try:
            return await heard
        finally:
            with self._guard:
                self._waiting.remove(call)

    def lose(self, cause: Exception) -> None:
        """Note that it is lost, and tell those who wait; from any thread."""
        with self._guard:
            self._lost = LeaseLost(
                f"{self._what} is no longer held by this process, since its connection to "
                f"PostgreSQL ended ({first_line(getattr(cause, 'orig', cause))}): start again "
                "when the database is available; what was recorded before is safe"
            )
            for call in self._waiting:
                call(self._lost)


@contextmanager
def hold(what: str, file: Path, database: URL, name: str) -> Iterator[Lease]:
    """Hold `what` alone: by the lock `file`, and on PostgreSQL by the lock of that name.

    Raises LockHeld, and what SQLAlchemy raises if there is no server.
    """
    lease = Lease(what)
    with ExitStack() as held:
        held.enter_context(exclusive(file))
        if database.get_backend_name() == "postgresql":
            held.enter_context(closing(AdvisoryLock(database, name, on_lost=lease.lose)))
        yield lease
