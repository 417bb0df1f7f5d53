"""A store held by one process alone: by a server as a whole, or one tournament by who plays it.

On one machine a lock file says who holds it. Where the database is a PostgreSQL server, which may
serve several machines, its own lock says so as well.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.store.advisory import AdvisoryLock
from arena.store.database import Database
from arena.store.errors import LeaseLost, StoreServed, TournamentBusy
from arena.store.explain import first_line
from arena.store.locks import LockHeld, exclusive
from arena.store.records import Tournament
from arena.store.translate import translated


class Lease:
    """What somebody holds, and whether they still do.

    On SQLite it is never lost. On PostgreSQL it is when its connection dies: noticed within 2
    seconds, or 12 if the server's machine vanished without a word.
    """

    def __init__(self, what: str) -> None:
        """`what` is held, for people."""
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


@dataclass(frozen=True, slots=True)
class Leases:
    """All that can be held of a store: lock files lie in its `run_folder`, `id` is the store's."""

    database: Database
    run_folder: Path
    id: str

    @contextmanager
    def server(self) -> Iterator[Lease]:
        """The whole store, for a server. Raises StoreServed."""
        with ExitStack() as held:
            try:
                lease = held.enter_context(self._hold("the store", "server"))
            except LockHeld as other:
                raise StoreServed(
                    f"the store at {self.database.folder} is served by "
                    f"{other.holder or 'another server'}: stop that one first, or set ARENA_HOME "
                    "to another folder"
                ) from None
            yield lease

    @contextmanager
    def tournament(self, tournament: Tournament) -> Iterator[Lease]:
        """One tournament, for whoever plays it. Raises TournamentBusy."""
        named = f"tournament {tournament.name!r}"
        with ExitStack() as held:
            try:
                lease = held.enter_context(self._hold(named, f"tournament-{tournament.id}"))
            except LockHeld as other:
                raise TournamentBusy(
                    f"{named} is being played by {other.holder or 'another process'}: "
                    "wait until that one has ended, or stop it"
                ) from None
            yield lease

    @contextmanager
    def _hold(self, what: str, name: str) -> Iterator[Lease]:
        """Hold it by a lock file, and on PostgreSQL by a lock there. Raises LockHeld."""
        lease, url = Lease(what), self.database.url
        with ExitStack() as held:
            with translated(self.database.folder):
                held.enter_context(exclusive(self.run_folder / f"{name}.lock"))
                if url.get_backend_name() == "postgresql":
                    lock = AdvisoryLock(url, f"claim-arena {self.id} {name}", on_lost=lease.lose)
                    held.enter_context(closing(lock))
            yield lease
