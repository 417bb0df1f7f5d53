"""Matches of honest and hostile bots, and what the arena holds before and after them."""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import docker

from arena.match.faults import FaultKind
from arena.match.setup import Timers
from arena.sandbox.folders import mounts_below
from arena.sandbox.instance import Instance
from arena.sandbox.uids import MACHINE_UIDS
from arena.tournament.executor import LocalExecutor
from arena.tournament.job import Lodging, MatchJob, Played, SeatJob, VoidReason
from sample_bots.misbehaving.pack import names
from tests.e2e.hostile.bots import HONEST
from tests.e2e.hostile.leftovers import Worker, containers_of

#: Short, since most of what hostile bots do is to let time pass.
TIMERS: Final = Timers(turn=0.5, ready=0.5, start=4.0, budget=5.0)
ATTEMPTS: Final = 3
#: Matches between honest bots before the baseline is taken.
_WARM: Final = 8
_SEATS: Final = (2, 3, 4)
_REPORT_EVERY: Final = 50


@dataclass(frozen=True, slots=True)
class Plan:
    """One match: who sits where."""

    number: int
    bots: tuple[str, ...]


def plans(seed: str, matches: int) -> list[Plan]:
    """So many matches; at every table sit honest bots and hostile ones. Pure."""
    chance = random.Random(seed)
    hostile = names()
    found = []
    for number in range(matches):
        seats = chance.choice(_SEATS)
        guests = chance.randint(1, seats - 1)
        bots = [chance.choice(hostile) for _ in range(guests)]
        bots += [chance.choice(HONEST) for _ in range(seats - guests)]
        chance.shuffle(bots)
        found.append(Plan(number, tuple(bots)))
    return found


@dataclass(frozen=True, slots=True)
class Holdings:
    """What the arena's processes hold, and what there is of its run on this machine."""

    #: By worker.
    memory_mib: tuple[float, ...]
    descriptors: tuple[int, ...]
    threads: tuple[int, ...]
    #: All in all.
    own_descriptors: int
    own_threads: int
    containers: int
    mounts: int
    uids: int

    @classmethod
    def of(cls, engine: docker.APIClient, run: Path) -> Holdings:
        """As they are now."""
        workers = Worker.all_of(run)
        owners = [path.read_text() for path in MACHINE_UIDS.glob("[0-9]*")]
        return cls(
            memory_mib=tuple(round(worker.memory()[0] / (1 << 20), 1) for worker in workers),
            descriptors=tuple(worker.descriptors() for worker in workers),
            threads=tuple(worker.threads() for worker in workers),
            own_descriptors=len(os.listdir("/proc/self/fd")),  # noqa: PTH208
            own_threads=threading.active_count(),
            containers=len(containers_of(engine, run)),
            mounts=len(list(mounts_below(run))),
            uids=sum(owner.startswith(str(run)) for owner in owners),
        )


@dataclass
class Tally:
    """What came of it."""

    stood: int = 0
    given_up: int = 0
    seconds: float = 0.0
    voids: Counter[VoidReason] = field(default_factory=Counter)
    #: Why hostile seats were out; `None` are those that played on.
    ends: Counter[FaultKind | None] = field(default_factory=Counter)
    #: What honest bots were charged with, which must be nothing.
    charged: list[str] = field(default_factory=list)
    #: Before the first bot, after warming up, after the last match, and after the end of it all.
    empty: Holdings | None = None
    before: Holdings | None = None
    after: Holdings | None = None
    ended: Holdings | None = None

    def count(self, plan: Plan, outcome: Played) -> None:
        """Take a match in."""
        self.stood += 1
        for name, seat in zip(plan.bots, outcome.record.seats, strict=True):
            if name not in HONEST:
                self.ends[None if seat.out is None else seat.out.kind] += 1
            elif seat.faults or seat.out:
                self.charged.append(f"{name} in {plan}: {seat.faults}")

    def __str__(self) -> str:
        """All of it in a few lines."""
        ends = {kind.value if kind else "plays on": n for kind, n in self.ends.most_common()}
        voids = {reason.value: n for reason, n in self.voids.items()}
        lines = [
            f"{self.stood} matches stand in {self.seconds:.0f} s, void {voids}",
            f"given up {self.given_up}, honest bots charged {len(self.charged)}",
            f"hostile seats: {ends}",
            *(f"{name}: {getattr(self, name)}" for name in ("empty", "before", "after", "ended")),
        ]
        return "\n".join(lines)


class Soak:
    """A run of this machine's match workers."""

    def __init__(
        self,
        engine: docker.APIClient,
        seat_of: Callable[[str], SeatJob],
        tell: Callable[[str], None],
    ) -> None:
        """`seat_of` gets a bot ready; `tell` hears how it goes."""
        self._engine = engine
        self._seat_of = seat_of
        self._tell = tell
        self._tally = Tally()
        self._ready: dict[str, SeatJob] = {}
        self._run: Path
        self._executor: LocalExecutor

    def play(self, folder: Path, matches: Sequence[Plan]) -> Tally:
        """Play the matches; `folder` is for the run and its log."""
        for plan in [*_warm(), *matches]:
            self._ready |= {name: self._seat_of(name) for name in plan.bots}
        with (folder / "log").open("w") as log, Instance.create(folder / "run", "soak") as instance:
            self._run = instance.path
            self._executor = LocalExecutor(instance, log=log)
            self._holdings()  # for nothing: the engine's client keeps its first connection
            self._tally.empty = self._holdings()
            asyncio.run(self._play_all(matches))
            self._tally.ended = self._holdings()
        return self._tally

    def _holdings(self) -> Holdings:
        return Holdings.of(self._engine, self._run)

    async def _play_all(self, matches: Sequence[Plan]) -> None:
        async with self._executor:
            await asyncio.gather(*map(self._one, _warm()))
            self._tally.stood = 0
            self._tally.before = self._holdings()
            began = time.monotonic()
            await asyncio.gather(*map(self._one, matches))
            self._tally.seconds = time.monotonic() - began
            self._tally.after = self._holdings()

    async def _one(self, plan: Plan) -> None:
        for attempt in range(ATTEMPTS):
            outcome = await self._executor.play(self._job(plan, attempt))
            if isinstance(outcome, Played):
                self._tally.count(plan, outcome)
                break
            self._tell(f"void: {plan}: {outcome.reason.value}: {outcome.detail}")
            self._tally.voids[outcome.reason] += 1
        else:
            self._tally.given_up += 1
        done = self._tally.stood + self._tally.given_up
        if plan.number >= 0 and done % _REPORT_EVERY == 0:
            self._tell(f"{done}: {self._holdings()}")

    def _job(self, plan: Plan, attempt: int) -> MatchJob:
        return MatchJob(
            match_id=f"soak-{plan.number}-{attempt}",
            game="claims",
            options={"max_rounds": 2, "max_laps": 10},
            seed=hashlib.sha256(str(plan.number).encode()).digest(),
            seats=tuple(self._ready[name] for name in plan.bots),
            timers=TIMERS,
            max_faults=1,
            lodging=Lodging.DOCKER,
        )


def _warm() -> Iterator[Plan]:
    for number in range(_WARM):
        yield Plan(-1 - number, HONEST)
