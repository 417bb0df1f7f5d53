"""What a server does in the background: tournaments, submissions on their way, people's matches."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import IO, Final

import structlog

from arena.app.conducting.conducted import Backstage, Conducted
from arena.app.conducting.hub import Hub
from arena.app.conducting.people import HouseRules, People
from arena.app.conducting.workshop import Workshop
from arena.app.home import clean_up
from arena.app.tournaments.live import Playing
from arena.sandbox.errors import SandboxFailed
from arena.sandbox.instance import Instance
from arena.store import AlreadyDone, Request, Store, Tournament
from arena.tournament.broadcast import Broadcast
from arena.tournament.executor import LocalExecutor
from arena.tournament.runner import Step
from arena.tournament.sharing import Sharing
from arena.tournament.uncut import uncut

log = structlog.get_logger()

_CLEANING: Final = 60.0
"""Seconds between two looks for what dead runs left; one that has just died may not be quite dead
when its successor starts, and an engine may be away then."""


@dataclass(frozen=True, slots=True)
class Status:
    """What a server is doing."""

    draining: bool
    #: Matches of tournaments and of submissions that are being played.
    matches_in_play: int
    #: Submissions that are neither ready nor rejected.
    submissions_waiting: int
    #: Tournaments that are to be played and have not ended.
    tournaments_wanted: int = 0
    #: Those of them that can't be played on at this moment.
    tournaments_in_trouble: int = 0
    #: Matches of people that are being made ready or played, beside all others.
    people_playing: int = 0


class Conductor:
    """Owns a server's one run, its match workers and all that goes on without being asked.

    To be used from one event loop. Whatever it does begins with what the store says and ends with
    a write to it, so that it may be killed at any moment: the next one goes on.
    """

    def __init__(
        self,
        store: Store,
        *,
        workers: int | None = None,
        log: IO[str] | None = None,
        house: HouseRules | None = None,
    ) -> None:
        """`workers` is the number of match workers, by default one per core.

        `log` is the file to which they print, by default this process's standard error. `house`
        says on which terms people play.
        """
        #: What is published: see `arena.app.conducting.hub` for the topics.
        self.hub = Hub()
        #: Who hears of each match of a tournament that was played or spoilt.
        self.on_step: list[Callable[[Step], None]] = []
        self._store = store
        self._workers = workers
        self._log = log
        self._house = house or HouseRules()
        self._held = AsyncExitStack()
        self._open = asyncio.Event()
        self._tournaments: dict[int, Conducted] = {}
        self._backstage: Backstage | None = None
        self._workshop: Workshop | None = None
        self._people: People | None = None
        self._janitor: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Clean up after dead runs, start the workers, and go on with all that was begun.

        Raises ExecutorFailed if no worker starts, and StoreError.
        """
        await asyncio.to_thread(self._clean)
        store = self._store
        try:
            member = self._held.enter_context(Instance.create(store.run_folder, store.id))
            executor = LocalExecutor(member, workers=self._workers, log=self._log)
            await self._held.enter_async_context(executor)
            self._backstage = Backstage(store, member, Sharing(executor), self.hub, self._open)
            self._workshop = Workshop(self._backstage)
            self._people = People(self._backstage, executor, self._house)
            await self._people.clear()
            for submission in await asyncio.to_thread(store.submissions.unfinished):
                self._workshop.take(submission.id)
            for tournament in await asyncio.to_thread(store.running.wanted):
                self._conduct(tournament)
        except BaseException:
            await self.close()
            raise
        self._janitor = asyncio.create_task(self._keep_clean())
        self._open.set()
        log.info("conducting", instance=member.id, matches_at_once=executor.capacity)

    async def want(self, name: str, request: Request | None = None) -> None:
        """Play a tournament from now on, also after another start, until it has ended.

        Raises NotFound, TournamentOver, NotScheduled, AlreadyDone.
        """
        tournament = await asyncio.to_thread(self._store.tournament, name)
        # Whether or not whoever asked still waits: what the store wants is played.
        await uncut(self._want(tournament, request))

    async def cancelled(self, name: str) -> None:
        """A tournament was cancelled: what is in play of it is cut off. Done when it is."""
        tournament = await asyncio.to_thread(self._store.tournament, name)
        conducted = self._tournaments.pop(tournament.id, None)
        if conducted is not None:
            await conducted.end()
            await conducted.look()

    async def changed(self, name: str) -> None:
        """Tell those who watch that something of a tournament has changed in the store."""
        tournament = await asyncio.to_thread(self._store.tournament, name)
        conducted = self._tournaments.get(tournament.id)
        if conducted is not None:
            await conducted.look()

    def submission_arrived(self, submission_id: str) -> None:
        """A submission is in the store and waits for being checked, built and qualified."""
        self._working.take(submission_id)

    def playing(self, tournament_id: int) -> Playing:
        """What is being done about a tournament."""
        conducted = self._tournaments.get(tournament_id)
        return Playing() if conducted is None else conducted.playing

    def broadcast(self, tournament_id: int, match_id: str) -> Broadcast | None:
        """What spectators see of a match; None if it isn't being played at this moment."""
        conducted = self._tournaments.get(tournament_id)
        return None if conducted is None else conducted.broadcast(match_id)

    @property
    def people(self) -> People:
        """Matches of people against bots; once it was started."""
        if self._people is None:
            raise RuntimeError("the conductor was not started")
        return self._people

    def locked_out(self, author: str) -> None:
        """Somebody may do nothing more here: a match that is being played goes on without."""
        if self._people is not None:
            self._people.leave(author)

    @property
    def wanted(self) -> tuple[int, ...]:
        """The ids of the tournaments that are to be played and have not ended."""
        return tuple(self._tournaments)

    def status(self) -> Status:
        """What is being done at all."""
        return Status(
            draining=not self._open.is_set(),
            matches_in_play=self._backstage.sharing.in_play if self._backstage else 0,
            submissions_waiting=self._workshop.waiting if self._workshop else 0,
            tournaments_wanted=len(self._tournaments),
            tournaments_in_trouble=sum(
                bool(conducted.playing.trouble) for conducted in self._tournaments.values()
            ),
            people_playing=self._people.playing if self._people else 0,
        )

    async def drain(self, bound: float) -> None:
        """Start no more; what runs may end, but is cut off after `bound` seconds and given back.

        A match of a person can't be given back: it is interrupted for good then.
        Done when nothing is in play. Another call, or `resume`, may come meanwhile.
        """
        self._open.clear()
        if self._backstage is None or self._workshop is None:
            return
        log.info("draining", bound=bound)
        self._backstage.sharing.pause()
        self.people.drain(bound)
        try:
            async with asyncio.timeout(None if math.isinf(bound) else bound):
                await self._backstage.sharing.idle()
                await self.people.idle()
        except TimeoutError:
            log.info("cut off", matches=self._backstage.sharing.in_play)
        if not self._open.is_set():
            self._workshop.stop()
            await asyncio.gather(
                self.people.cut(), *(each.cut() for each in self._tournaments.values())
            )
            log.info("drained")

    def resume(self) -> None:
        """Go on after a drain."""
        if self._backstage is None:
            return
        log.info("going on")
        self._open.set()
        self._backstage.sharing.resume()
        self.people.resume()
        for conducted in self._tournaments.values():
            conducted.begin()

    async def close(self) -> None:
        """Cut everything off, end all feeds and workers. What was cut off counts as nothing."""
        self.hub.close()
        self._open.clear()
        if self._janitor is not None:
            self._janitor.cancel()
            await asyncio.wait({self._janitor})
        await asyncio.gather(*(each.cut() for each in self._tournaments.values()))
        if self._people is not None:
            await self._people.cut()
        if self._workshop is not None:
            await self._workshop.close()
        await self._held.aclose()

    @property
    def _working(self) -> Workshop:
        if self._workshop is None:
            raise RuntimeError("the conductor was not started")
        return self._workshop

    async def _want(self, tournament: Tournament, request: Request | None) -> None:
        try:
            await asyncio.to_thread(self._store.running.want, tournament.id, request)
        except AlreadyDone:
            # The answer of the store may have been lost when it came first.
            self._conduct(tournament)
            raise
        log.info("wanted", tournament=tournament.name)
        self._conduct(tournament)

    def _conduct(self, tournament: Tournament) -> None:
        if self._backstage is None:
            raise RuntimeError("the conductor was not started")
        conducted = self._tournaments.get(tournament.id)
        if conducted is None:
            conducted = self._tournaments[tournament.id] = Conducted(
                self._backstage, tournament, on_step=self._heard, on_end=self._ended
            )
        conducted.begin()

    def _heard(self, step: Step) -> None:
        for hear in self.on_step:
            hear(step)

    def _ended(self, conducted: Conducted) -> None:
        self._tournaments.pop(conducted.tournament.id, None)

    def _clean(self) -> None:
        try:
            done = clean_up(self._store)
        except SandboxFailed as failed:
            log.warning("could not clean up after dead runs", why=failed.detail)
            return
        if done.runs or done.containers:
            log.info("cleaned up", runs=done.runs, containers=done.containers)

    async def _keep_clean(self) -> None:
        while True:
            await asyncio.sleep(_CLEANING)
            await asyncio.to_thread(self._clean)
