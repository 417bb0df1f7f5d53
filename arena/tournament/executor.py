"""Where jobs are played: the interface, and match workers on this machine."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Protocol, Self

import structlog

from arena.sandbox.errors import SandboxFailed
from arena.sandbox.instance import Instance
from arena.sandbox.reap import reap_workers
from arena.tournament.broadcast import Broadcast
from arena.tournament.chair import Chair
from arena.tournament.frames import (
    Answered,
    BrokenPipeTalk,
    Message,
    Order,
    answer_frame,
    job_frame,
    order_frame,
    read_frame,
)
from arena.tournament.job import MatchJob, Outcome, Voided, VoidReason

log = structlog.get_logger()

#: Matches that one worker plays at a time: arena and bots take turns, so one leaves a core idle.
MATCHES_PER_WORKER = 2
#: Seconds that a worker gets to say that it is ready.
_START = 60.0
#: How often a worker is started before we believe that none can be.
_TRIES = 3
#: Seconds that a worker gets to stop its bots before it is killed.
_GRACE = 10.0


class ExecutorFailed(Exception):
    """No match worker can be had; the text says what is known."""


class Executor(Protocol):
    """Plays jobs somewhere."""

    @property
    def capacity(self) -> int:
        """How many matches are played at a time."""

    async def play(self, job: MatchJob) -> Outcome:
        """Play a job; waits for a free place.  Whatever goes wrong on our side is ``Voided``."""


@dataclass(slots=True, eq=False)
class _InPlay:
    """A job that a worker has."""

    job: MatchJob
    outcome: asyncio.Future[Outcome]
    broadcast: Broadcast
    #: The person's who plays in it, if there is one.
    chair: Chair | None = None


@dataclass(slots=True, eq=False)
class _Worker:
    """One worker process and the jobs that it has, by their numbers."""

    process: asyncio.subprocess.Process
    in_play: dict[int, _InPlay] = field(default_factory=dict)
    reading: asyncio.Task[None] | None = None

    def playing(self, *, people: bool) -> int:
        """How many matches it plays in which a person has a seat, or how many others."""
        return sum((match.chair is not None) is people for match in self.in_play.values())

    def say(self, frame: bytes) -> None:
        """Write to it; if it has just died, its reader sees to what it leaves behind."""
        pipe = self.process.stdin
        assert pipe is not None  # noqa: S101 - asked for when it was started
        if not pipe.is_closing():
            pipe.write(frame)


class LocalExecutor:
    """Match workers as processes of their own, one per core by default.

    A worker that dies takes its matches with it, and they are void; another takes its place.
    """

    def __init__(
        self,
        instance: Instance,
        *,
        workers: int | None = None,
        matches_per_worker: int = MATCHES_PER_WORKER,
        log: IO[str] | None = None,
    ) -> None:
        """``instance`` is the run that the workers join.

        ``log`` is the file to which workers print, by default this process's standard error.
        """
        self._instance = instance
        self._log = log
        self._count = workers or self.default_workers()
        self._each = matches_per_worker
        self._workers: list[_Worker] = []
        self._places = asyncio.Semaphore(self.capacity)
        self._numbers = itertools.count(1)
        self._closing = False
        #: Set while there is a worker to play on, or the last try to have one has failed.
        self._settled = asyncio.Event()
        #: Why there is no worker, while that is so and none is being started.
        self._failure: ExecutorFailed | None = None
        #: What puts workers in the places of dead ones.
        self._filling: asyncio.Task[None] | None = None

    @staticmethod
    def default_workers() -> int:
        """One for each core that this process may use."""
        return len(os.sched_getaffinity(0))

    @property
    def capacity(self) -> int:
        """How many matches are played at a time."""
        return self._count * self._each

    async def __aenter__(self) -> Self:
        try:
            hiring = (self._hire() for _ in range(self._count))
            for failure in await asyncio.gather(*hiring, return_exceptions=True):
                if failure is not None:
                    raise failure
        except BaseException:
            # Also if we are stopped here, when some have started and others haven't.
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closing = True
        if self._filling is not None:
            self._filling.cancel()
            await asyncio.wait({self._filling})
        await asyncio.gather(*(self._dismiss(worker) for worker in self._workers))

    async def play(self, job: MatchJob, broadcast: Broadcast | None = None) -> Outcome:
        """Play a job on the worker with the fewest matches; `broadcast` shows it to spectators.

        Raises ExecutorFailed if no worker can be had; the next job has another one tried.
        Whoever is cancelled here has waited for the match to be stopped.
        """
        async with self._places:
            return await self._play(job, broadcast or Broadcast())

    async def play_with(self, job: MatchJob, chair: Chair) -> Outcome:
        """Play a job in which a person plays, who is served at ``chair``; otherwise as ``play``.

        It takes no place: people think for minutes, in which nothing else would be played there.
        """
        return await self._play(job, chair.broadcast, chair)

    async def _play(
        self, job: MatchJob, broadcast: Broadcast, chair: Chair | None = None
    ) -> Outcome:
        if len(self._workers) < self._count:
            self._fill()
        # A dead worker's replacement may be starting still.
        await self._settled.wait()
        if self._failure is not None:
            raise self._failure
        people = chair is not None
        worker = min(self._workers, key=lambda worker: worker.playing(people=people))
        number = next(self._numbers)
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        match = worker.in_play[number] = _InPlay(job, outcome, broadcast, chair)
        worker.say(job_frame(job, number))
        broadcast.begin(partial(self._show, worker, number))
        if chair is not None:
            chair.begin(partial(self._say_for, worker, number))
        try:
            return await asyncio.shield(outcome)
        except asyncio.CancelledError:
            await self._stop(worker, number, match)
            raise
        finally:
            broadcast.end()
            if chair is not None:
                chair.end()

    async def _stop(self, worker: _Worker, number: int, match: _InPlay) -> None:
        """Have a match stopped, and wait until it is: so its deals may be played again."""
        if self._closing or match.outcome.done():
            return
        worker.say(order_frame(Order.STOP, number))
        await asyncio.wait({match.outcome}, timeout=_GRACE)

    @staticmethod
    def _show(worker: _Worker, number: int, wanted: bool) -> None:
        worker.say(order_frame(Order.WATCH if wanted else Order.UNWATCH, number))

    @staticmethod
    def _say_for(worker: _Worker, number: int, said: Answered | None) -> None:
        """Pass on what a person has answered, or that the person has left."""
        if said is None:
            worker.say(order_frame(Order.LEAVE, number))
        else:
            worker.say(answer_frame(said, number))

    async def _hire(self) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            # Never look for modules where the user happens to be: bots' files lie there.
            "-P",
            "-m",
            "arena.tournament.worker",
            str(self._instance.path),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=self._log,
            # Ctrl-C is for the run, which then tells its workers.
            start_new_session=True,
        )
        worker = _Worker(process)
        try:
            ready = await _says_ready(process)
        except asyncio.CancelledError:
            process.kill()
            await process.wait()
            raise
        if not ready:
            process.kill()
            said = "above" if self._log is None else f"in {self._log.name}"
            raise ExecutorFailed(
                f"a match worker does not start ({_how(await process.wait())}); "
                f"what it had to say is {said}"
            )
        worker.reading = asyncio.create_task(self._read(worker))
        self._workers.append(worker)
        self._settled.set()

    async def _read(self, worker: _Worker) -> None:
        """Hand out what a worker says, until it is gone."""
        pipe = worker.process.stdout
        assert pipe is not None  # noqa: S101 - asked for above
        try:
            while (message := await read_frame(pipe)) is not None:
                self._take(worker, message)
        except BrokenPipeTalk as broken:
            log.error("worker talks nonsense", pid=worker.process.pid, detail=str(broken))
            worker.process.kill()
        await self._bury(worker)

    @staticmethod
    def _take(worker: _Worker, message: Message) -> None:
        match = worker.in_play.get(message.number)
        if match is None:
            return
        outcome: Outcome | None = message.played or message.voided
        if outcome is None:
            match.broadcast.add(message.before, message.lines)
            if message.cut:
                match.broadcast.cut()
            if match.chair is not None:
                match.chair.hear(message.question or message.settled)
            return
        del worker.in_play[message.number]
        match.outcome.set_result(outcome)

    async def _bury(self, worker: _Worker) -> None:
        """Void what a dead worker leaves behind and put another in its place."""
        how = _how(await worker.process.wait())
        self._workers.remove(worker)
        if not self._closing:
            if not self._workers:
                self._settled.clear()
            log.warning("match worker died", pid=worker.process.pid, how=how)
            await self._clean_up()
            await asyncio.wait({self._fill()})
        detail = f"the worker process that played it ended ({how})"
        for match in worker.in_play.values():
            if self._failure is not None:
                match.outcome.set_exception(self._failure)
            else:
                void = Voided(match.job.match_id, VoidReason.WORKER_DIED, detail)
                match.outcome.set_result(void)

    def _fill(self) -> asyncio.Task[None]:
        """Put workers in the places of dead ones; whatever kills workers may hit these, too."""
        if self._filling is None or self._filling.done():
            if not self._workers:
                self._failure = None
                self._settled.clear()
            self._filling = asyncio.create_task(self._start_missing())
        return self._filling

    async def _start_missing(self) -> None:
        failures = 0
        while len(self._workers) < self._count and failures < _TRIES:
            try:
                await self._hire()
            except ExecutorFailed as failure:
                failures += 1
                if failures == _TRIES and not self._workers:
                    self._failure = failure
                    self._settled.set()

    async def _clean_up(self) -> None:
        """Remove the bots that a dead worker left behind."""
        try:
            await asyncio.to_thread(reap_workers, self._instance)
        except SandboxFailed as failed:
            # What is left now, the next start of an arena removes.
            log.warning("could not clean up after a match worker", why=str(failed))

    async def _dismiss(self, worker: _Worker) -> None:
        """Close the worker's pipe, at which it stops its bots and ends."""
        if worker.process.stdin is not None:
            worker.process.stdin.close()
        try:
            async with asyncio.timeout(_GRACE):
                await worker.process.wait()
        except TimeoutError:
            log.warning("match worker did not stop, killing it", pid=worker.process.pid)
            worker.process.kill()
        if worker.reading is not None:
            await worker.reading
        if worker.process.returncode:
            await self._clean_up()


async def _says_ready(process: asyncio.subprocess.Process) -> bool:
    assert process.stdout is not None  # noqa: S101 - asked for by whoever started it
    try:
        async with asyncio.timeout(_START):
            return await read_frame(process.stdout) is not None
    except (TimeoutError, BrokenPipeTalk):
        return False


def _how(code: int) -> str:
    """How a process ended, in words."""
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
