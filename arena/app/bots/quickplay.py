"""Matches outside any tournament: for an author who wants to see bots play."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO

from arena.app.bots import contestants, lodging
from arena.app.errors import ArenaError, WrongCall
from arena.app.home import instance
from arena.app.logs import run_log
from arena.app.options import fresh_seed, game_of
from arena.match.faults import Fault
from arena.match.record import MatchRecord, SeatRecord
from arena.match.setup import Timers
from arena.sandbox.instance import Instance
from arena.schedule import Block
from arena.store import Store
from arena.tournament.executor import LocalExecutor
from arena.tournament.job import (
    Isolation,
    Lodging,
    MatchJob,
    Outcome,
    Played,
    SeatJob,
    match_id,
    match_seed,
)
from arena.tournament.pondering import Ponder

#: A match that was void so often is given up.
ATTEMPTS = 3

Play = Callable[[MatchJob], Awaitable[Outcome]]
"""Plays a match somewhere: an executor's `play`."""


class Spoilt(ArenaError):
    """We spoilt a match as often as we try it; the text says how the last time."""


async def played(play: Play, job: MatchJob, name: str) -> MatchRecord:
    """Play a job, again if we spoil it; `name` says which match it is, for `Spoilt`."""
    reason = ""
    for _ in range(ATTEMPTS):
        outcome = await play(job)
        if isinstance(outcome, Played):
            return outcome.record
        reason = outcome.detail
    raise Spoilt(f"{name} was spoilt {ATTEMPTS} times, the last time: {reason}")


@dataclass(frozen=True, slots=True)
class QuickMatches:
    """What to play: one table of these bots, everyone in every seat on equal deals."""

    bots: tuple[str, ...]
    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    matches: int = 1
    #: 32 bytes.  Equal seeds give equal deals, and equal seats' seeds of their own.
    seed: bytes = field(default_factory=fresh_seed)
    timers: Timers = Timers()
    max_faults: int = 10
    lodging: Lodging = Lodging.DOCKER
    isolation: Isolation = Isolation.MATCH
    ponder: Ponder = Ponder.FREEZE


@dataclass(frozen=True, slots=True)
class QuickMatch:
    """One of the matches: who sat where, by place in the list of bots, and what came of it."""

    number: int
    seating: tuple[int, ...]
    #: By seat.
    seats: tuple[SeatJob, ...]
    record: MatchRecord


def wrongs(seat: SeatRecord) -> tuple[Fault, ...]:
    """All that a seat did wrong, and last what put it out of the match, if anything did."""
    if seat.out is None or seat.out in seat.faults:
        return seat.faults
    return (*seat.faults, seat.out)


@dataclass(frozen=True, slots=True)
class Table:
    """Bots that are ready to be started, and what they are to play."""

    wanted: QuickMatches
    seats: Sequence[SeatJob]
    member: Instance
    log: TextIO

    async def play(self, workers: int | None = None) -> AsyncGenerator[QuickMatch, None]:
        """Play the matches and yield each as it ends, in no fixed order.

        ``workers`` is the number of match workers, by default one per core.
        """
        # More workers than matches would only be started and stopped.
        workers = min(workers or LocalExecutor.default_workers(), self.wanted.matches)
        async with LocalExecutor(self.member, workers=workers, log=self.log) as executor:
            tasks = [
                asyncio.create_task(_play(executor, number, seating, job))
                for number, seating, job in _jobs(self.wanted, self.seats)
            ]
            try:
                for finished in asyncio.as_completed(tasks):
                    yield await finished
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def table(
    store: Store, wanted: QuickMatches, *, tell: Callable[[str], None] = lambda _: None
) -> Iterator[Table]:
    """Make bots ready to play: ``with table(...) as ready``.

    The store lends its folder and its bots; nothing is written to its database.  ``tell`` hears
    what takes a while.  Raises ``ArenaError``, ``OptionError``, ``SubmissionError``.
    """
    rules = game_of(wanted.game)
    if len(wanted.bots) not in rules.seats:
        raise WrongCall(
            f"{rules.name} is played by {rules.seats[0]} to {rules.seats[-1]} players, "
            f"not by {len(wanted.bots)}: a bot may be named more than once"
        )
    rules.options(wanted.options)
    bots = contestants.find_all(store, wanted.bots, wanted.game)
    containers = wanted.lodging is Lodging.DOCKER
    with instance(store, containers=containers) as member, run_log(store) as log:
        seats = lodging.prepare(
            store, member, bots, lodging=wanted.lodging, game=wanted.game, tell=tell
        )
        yield Table(wanted, seats, member, log)


async def _play(
    executor: LocalExecutor, number: int, seating: tuple[int, ...], job: MatchJob
) -> QuickMatch:
    record = await played(executor.play, job, f"match {number + 1}")
    return QuickMatch(number, seating, job.seats, record)


def _jobs(
    wanted: QuickMatches, seats: Sequence[SeatJob]
) -> list[tuple[int, tuple[int, ...], MatchJob]]:
    seed = wanted.seed
    size = len(seats)
    jobs = []
    for number in range(wanted.matches):
        block, rotation = divmod(number, size)
        seating = Block(block, tuple(range(size))).seatings()[rotation]
        job = MatchJob(
            match_id=match_id(seed, block, rotation),
            game=wanted.game,
            options=dict(wanted.options),
            seed=match_seed(seed, block),
            seats=tuple(seats[entry] for entry in seating),
            timers=wanted.timers,
            max_faults=wanted.max_faults,
            lodging=wanted.lodging,
            isolation=wanted.isolation,
            ponder=wanted.ponder,
        )
        jobs.append((number, seating, job))
    return jobs
