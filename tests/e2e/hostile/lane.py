"""A match worker that plays one match at a time, and what is seen of each match.

So that whatever the worker uses is of that match.
"""

from __future__ import annotations

import asyncio
import hashlib
import statistics
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import docker

from arena.match import replay
from arena.match.record import MatchRecord
from arena.match.replay import Line
from arena.sandbox.api import Limits
from arena.sandbox.instance import Instance
from arena.tournament.executor import LocalExecutor
from arena.tournament.job import Lodging, MatchJob, Outcome, Played, SeatJob, Voided, VoidReason
from tests.e2e.hostile.expecting import Setting
from tests.e2e.hostile.leftovers import (
    CONNECTIONS,
    EACH_CONTAINER,
    Worker,
    kept_containers,
    left_behind,
    processes,
)

_CLEAN_WITHIN = 10.0
#: As often is a match played that stalled, as in a tournament.
_ATTEMPTS = 3
#: Threads that a worker may have more than after its control match: its pool grows when it is used.
_POOL = 8


@dataclass(frozen=True)
class Trial:
    """A match that is wanted: a bot's seats first, then one honest opponent."""

    name: str
    lodging: Lodging
    setting: Setting

    @property
    def opponent(self) -> int:
        """The honest seat."""
        return self.setting.copies


@dataclass(frozen=True)
class Seen:
    """What was seen of a trial's match."""

    trial: Trial
    outcome: Outcome
    #: From asking for the match to having its outcome.
    seconds: float
    #: Memory of the worker in bytes.
    before: int
    peak: int
    after: int
    #: CPU time of the worker in seconds.
    cpu: float
    #: What was left on the machine, and in the worker.
    left: Sequence[str]
    #: How often the match was void before, since this machine stood still.
    stalled: int = 0

    @property
    def has_stalled(self) -> bool:
        """Whether the match is void since this machine stood still."""
        outcome = self.outcome
        return isinstance(outcome, Voided) and outcome.reason is VoidReason.STALLED

    @property
    def record(self) -> MatchRecord:
        """The match, which must stand."""
        assert isinstance(self.outcome, Played), self.outcome
        return self.outcome.record

    @property
    def grown_mib(self) -> float:
        """By how much the worker grew at most, in MiB."""
        return (self.peak - self.before) / (1 << 20)

    @cached_property
    def lines(self) -> list[Line]:
        """The replay."""
        return list(replay.unpack(self.record.replay))

    @cached_property
    def opponents_moves(self) -> list[float]:
        """The milliseconds that the honest seat was charged for each of its moves."""
        return [
            line["measured"]["charged_ms"]
            for line in self.lines
            if line["type"] == "turn" and line["seat"] == self.trial.opponent
        ]

    @property
    def slowest(self) -> float:
        """The opponent's slowest move in milliseconds."""
        return max(self.opponents_moves)

    @property
    def usual(self) -> float:
        """The median of the opponent's moves in milliseconds."""
        return statistics.median(self.opponents_moves)


class Lane:
    """An executor with one worker."""

    def __init__(
        self, engine: docker.APIClient, instance: Instance, executor: LocalExecutor
    ) -> None:
        self._engine = engine
        self._run = instance.path
        self._executor = executor
        self._old = processes()
        self._descriptors = self._threads = 1000

    async def control(self, trial: Trial, seats: Sequence[SeatJob]) -> Seen:
        """Play a match between honest bots, and take note of how the worker is after it."""
        seen = await self.play(trial, seats)
        worker = Worker.of(self._run)
        kept = len(kept_containers(self._engine, self._run))
        self._descriptors = worker.descriptors() - EACH_CONTAINER * kept
        self._threads = worker.threads()
        return seen

    async def play(self, trial: Trial, seats: Sequence[SeatJob], number: int = 0) -> Seen:
        """Play the match of a trial with this number, again if this machine stood still."""
        stalled = 0
        while (seen := await self._once(trial, seats, number)).has_stalled:
            if (stalled := stalled + 1) == _ATTEMPTS:
                break
        return replace(seen, stalled=stalled)

    async def _once(self, trial: Trial, seats: Sequence[SeatJob], number: int) -> Seen:
        worker = Worker.of(self._run)
        worker.forget_peak()
        before, _ = worker.memory()
        after = peak = before
        cpu = worker.cpu()
        began = time.monotonic()
        outcome = await self._executor.play(_job(trial, seats, number))
        seconds = time.monotonic() - began
        with suppress(FileNotFoundError):  # it died, which the outcome tells
            after, peak = worker.memory()
            peak = max(before, peak, after)  # the kernel counts in portions
            cpu = worker.cpu() - cpu
        left = await self._left(worker, Path(seats[0].artifact))
        return Seen(trial, outcome, seconds, before, peak, after, cpu, left)

    def left(self) -> list[str]:
        """What is left when the worker has ended: not even containers."""
        kept = kept_containers(self._engine, self._run)
        return [*kept, *left_behind(self._engine, self._run, self._run, self._old)]

    async def _left(self, worker: Worker, bot: Path) -> list[str]:
        """What is left, once nothing more is on its way out."""
        until = time.monotonic() + _CLEAN_WITHIN
        while found := await asyncio.to_thread(self._look, worker, bot):
            if time.monotonic() > until:
                break
            await asyncio.sleep(0.2)
        return found

    def _look(self, worker: Worker, bot: Path) -> list[str]:
        found = left_behind(self._engine, self._run, bot, self._old)
        with suppress(FileNotFoundError):
            kept = len(kept_containers(self._engine, self._run))
            if (
                more := worker.descriptors() - EACH_CONTAINER * kept - self._descriptors
            ) > CONNECTIONS:
                found.append(f"{more} descriptors of the worker: {worker.open_files()}")
            if (more := worker.threads() - self._threads) > _POOL:
                found.append(f"{more} threads of the worker")
        return found


def _job(trial: Trial, seats: Sequence[SeatJob], number: int) -> MatchJob:
    setting = trial.setting
    name = f"{trial.name}-{trial.lodging.value}-{number}"
    return MatchJob(
        match_id=name,
        game="claims",
        options={"max_rounds": setting.rounds, "max_laps": setting.laps},
        # Never the same deals, so that containers that are there can be used.
        seed=hashlib.sha256(name.encode()).digest(),
        seats=tuple(seats),
        timers=setting.timers,
        max_faults=setting.max_faults,
        lodging=trial.lodging,
        limits=Limits(),
    )
