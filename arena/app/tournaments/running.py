"""Playing what is pending of a tournament: by one process alone, stopped anywhere, gone on with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

from arena.app.bots import contestants, lodging
from arena.app.errors import ArenaError
from arena.app.home import instance
from arena.app.logs import run_log
from arena.app.rankings.waves import Clarity, Growth
from arena.app.tournaments.setting_up import why_lodged
from arena.match.replay import ENGINE
from arena.sandbox.instance import Instance
from arena.store import Progress, Store, Tournament, TournamentState
from arena.store.lease import Lease
from arena.tournament.executor import Executor, LocalExecutor
from arena.tournament.job import Lodging, SeatJob, Voided, VoidReason
from arena.tournament.runner import Runner, Step


@dataclass(frozen=True, slots=True)
class Prepared:
    """A tournament that this process plays, its bots ready to be started."""

    store: Store
    tournament: Tournament
    #: What says that nobody else plays it.
    lease: Lease
    member: Instance
    #: How far it was before.
    before: Progress
    #: By entry; empty where nothing is pending.
    seats: Sequence[SeatJob]
    #: What adds matches to an adaptive tournament.
    growth: Growth | None

    async def play(
        self,
        executor: Executor,
        *,
        on_step: Callable[[Step], None] = lambda _: None,
        on_wave: Callable[[Clarity], None] = lambda _: None,
    ) -> Progress:
        """Play what is pending, and what an adaptive tournament adds; may be stopped anywhere.

        `on_step` hears of each match that has ended, `on_wave` of each wave. Raises what the store
        and the executor raise, and what `lodging.require` raises if nothing can be played now.
        """
        playing = asyncio.create_task(self._play(executor, on_step, on_wave))
        losing = asyncio.create_task(self.lease.until_lost())
        try:
            await asyncio.wait({playing, losing}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():
                raise losing.result()
            return playing.result()
        finally:
            playing.cancel()
            losing.cancel()
            await asyncio.gather(playing, losing, return_exceptions=True)

    async def _play(
        self,
        executor: Executor,
        on_step: Callable[[Step], None],
        on_wave: Callable[[Clarity], None],
    ) -> Progress:
        if not self.before.pending:
            return self.before
        runner = Runner(
            self.store,
            self.tournament,
            dict(enumerate(self.seats)),
            executor,
            on_step=on_step,
            look_into=self._look_into,
        )
        progress = await runner.run()
        if self.growth is None:
            return progress
        while await asyncio.to_thread(self.growth.grow):
            on_wave(self.growth.clarity())
            await runner.run()
        return await asyncio.to_thread(self.store.progress, self.tournament.id)

    async def _look_into(self, void: Voided) -> None:
        if self.tournament.sandbox == "docker" and void.reason is VoidReason.SANDBOX:
            await asyncio.to_thread(lodging.require, self.member, self.seats)


@contextmanager
def prepared(
    store: Store,
    tournament: Tournament,
    member: Instance,
    tell: Callable[[str], None],
    go_on: Callable[[], None] = lambda: None,
) -> Iterator[Prepared]:
    """Make ready what is pending of a tournament: `with prepared(...) as it`.

    Images are made here and not while playing, so that who waits for one can stop it at once;
    `tell` hears what takes a while, `go_on` is called before each bot and may raise to end it
    there. Raises `ArenaError`, `StoreError`.
    """
    check_runnable(store, tournament)
    with store.run_lock(tournament) as lease:
        tell(why_lodged(tournament))
        growth = Growth.of(store, tournament)
        before = store.progress(tournament.id)
        if growth and not before.pending and before.state is not TournamentState.FINISHED:
            # The last run was stopped just when a wave was over.
            growth.grow()
            before = store.progress(tournament.id)
        seats: Sequence[SeatJob] = ()
        if before.pending:
            field = [contestants.stored(store, entry.version) for entry in tournament.entries]
            seats = lodging.prepare(
                store,
                member,
                field,
                lodging=Lodging(tournament.sandbox),
                game=tournament.game,
                tell=tell,
                go_on=go_on,
            )
        yield Prepared(store, tournament, lease, member, before, seats, growth)


@dataclass(frozen=True, slots=True)
class Run:
    """A tournament that this process plays with match workers of its own."""

    it: Prepared
    log: TextIO

    async def play(
        self,
        *,
        workers: int | None = None,
        on_step: Callable[[Step], None] = lambda _: None,
        on_wave: Callable[[Clarity], None] = lambda _: None,
    ) -> Progress:
        """Play it, see `Prepared.play`; with so many workers, by default one per core."""
        before = self.it.before
        if not before.pending:
            return before
        workers = workers or LocalExecutor.default_workers()
        if self.it.growth is None:
            # More than matches would only be started and stopped; but of these there may be more.
            workers = min(workers, before.pending)
        async with LocalExecutor(self.it.member, workers=workers, log=self.log) as executor:
            return await self.it.play(executor, on_step=on_step, on_wave=on_wave)


@contextmanager
def run(store: Store, name: str, *, tell: Callable[[str], None] = lambda _: None) -> Iterator[Run]:
    """Begin to play what is pending of a tournament, or go on with it: `with run(...) as it`.

    `tell` hears what takes a while. Raises `ArenaError`, `StoreError`.
    """
    tournament = store.tournament(name)
    containers = tournament.sandbox == "docker"
    with (
        instance(store, containers=containers) as member,
        run_log(store) as log,
        prepared(store, tournament, member, tell) as it,
    ):
        yield Run(it, log)


def check_runnable(store: Store, tournament: Tournament) -> None:
    """Raises `ArenaError` for a tournament that this program can't play."""
    state = store.progress(tournament.id).state
    if state is TournamentState.CANCELLED:
        raise ArenaError(f"the tournament {tournament.name} was cancelled")
    if state is TournamentState.ENTRY:
        raise ArenaError(f"the tournament {tournament.name} has no schedule yet: close its entry")
    if tournament.engine != ENGINE:
        raise ArenaError(
            f"the tournament {tournament.name} began with engine {tournament.engine}, but this is "
            f"{ENGINE}: run it on with the arena that it began with"
        )
