"""What a server does in the background: it plays tournaments, and makes submissions into bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from arena.app.hub import Hub
from arena.app.live import Playing
from arena.store import Request, Store


@dataclass(frozen=True, slots=True)
class Status:
    """What a server is doing."""

    draining: bool
    #: Matches of tournaments and of submissions that are being played.
    matches_in_play: int
    #: Submissions that are neither ready nor rejected.
    submissions_waiting: int


class Conductor:
    """Owns a server's one run, its match workers and all that goes on without being asked.

    To be used from one event loop. Whatever it does begins with what the store says and ends with
    a write to it, so that it may be killed at any moment: the next one goes on.
    """

    def __init__(
        self, store: Store, *, workers: int | None = None, log: IO[str] | None = None
    ) -> None:
        """`workers` is the number of match workers, by default one per core.

        `log` is the file to which they print, by default this process's standard error.
        """
        #: What is published: see `arena.app.hub` for the topics.
        self.hub = Hub()
        self._store = store
        self._workers = workers
        self._log = log

    async def start(self) -> None:
        """Clean up after dead runs, start the workers, and go on with all that was begun."""

    async def want(self, name: str, request: Request | None = None) -> None:
        """Play a tournament from now on, also after another start, until it has ended.

        Raises NotFound, TournamentOver, NotScheduled, AlreadyDone.
        """

    async def cancelled(self, name: str) -> None:
        """A tournament was cancelled: what is in play of it is cut off. Done when it is."""

    async def changed(self, name: str) -> None:
        """What is to be played of a tournament has changed in the store, or what is said of it."""

    def submission_arrived(self, submission_id: str) -> None:
        """A submission is in the store and waits for being checked, built and qualified."""

    def playing(self, tournament_id: int) -> Playing:
        """What is being done about a tournament."""
        raise NotImplementedError

    def status(self) -> Status:
        """What is being done at all."""
        raise NotImplementedError

    async def drain(self, bound: float) -> None:
        """Start no more; what runs may end, but is cut off after `bound` seconds and given back."""

    def resume(self) -> None:
        """Go on after a drain."""

    async def close(self) -> None:
        """Cut everything off, end all feeds and workers. What was cut off counts as nothing."""
