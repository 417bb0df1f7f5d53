"""A match worker: reads jobs from its standard input, plays them, writes outcomes to its output.

It runs with a memory limit of its own, since it is what talks with hostile bots; if it dies, its
matches are void and nothing else is hurt.  It ends when its standard input does, so that a run
that was killed takes its workers with it.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from arena.match.clock import Ourselves
from arena.match.faults import MatchStalled, MatchVoid
from arena.match.play import play_match
from arena.match.player import Player
from arena.match.replay import Line
from arena.match.spectating import public, seen_by
from arena.match.transcript import Transcript
from arena.players.local import LocalPlayer
from arena.players.person import PersonPlayer
from arena.sandbox.api import Launch, Sandbox
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.errors import SandboxFailed
from arena.sandbox.instance import Instance
from arena.sandbox.meter import OwnMeter
from arena.sandbox.process import ProcessSandbox
from arena.tournament.frames import (
    Message,
    Order,
    cut_frame,
    lines_frame,
    open_pipe,
    open_sink,
    outcome_frame,
    person_frame,
    read_frame,
    ready_frame,
)
from arena.tournament.inprocess import bot_class
from arena.tournament.job import (
    Isolation,
    Lodging,
    MatchJob,
    Outcome,
    Played,
    Voided,
    VoidReason,
)
from arena.tournament.seats import FreshStable, SandboxedPlayer, Stable, Terms, WarmStable

#: Address space in bytes.  Generous, since threads and shared libraries count too.
MEMORY_LIMIT = 4 * 1024**3
#: Bytes that may wait for the run to read them; then what is only to be watched is told no more.
_MOST_UNREAD = 1024**2


class Worker:
    """Plays jobs, several at a time, and keeps what can be kept between them."""

    def __init__(self, instance: Instance) -> None:
        """Play as a member of the run ``instance``."""
        self._instance = instance
        self._sandboxes: dict[tuple[Lodging, Isolation], Sandbox] = {}
        self._stables: dict[tuple[Lodging, Isolation], Stable] = {}
        self._terms = Terms(ours=Ourselves(OwnMeter()))

    async def play(
        self,
        job: MatchJob,
        transcript: Transcript | None = None,
        person: PersonPlayer | None = None,
    ) -> Outcome:
        """Play one job, with ``person`` where a person's seat is in it.

        Whatever goes wrong on our side is a void.
        """
        try:
            players = [
                person if person and seat.person else self._player(job, number)
                for number, seat in enumerate(job.seats)
            ]
            return Played(await play_match(job.setup(), players, transcript))
        except MatchStalled as stalled:
            return Voided(job.match_id, VoidReason.STALLED, str(stalled))
        except MatchVoid as void:
            return Voided(job.match_id, VoidReason.SANDBOX, str(void))
        except Exception as error:
            traceback.print_exc()
            return Voided(job.match_id, VoidReason.INTERNAL, f"{type(error).__name__}: {error}")

    async def close(self) -> None:
        """Stop every bot that is left."""
        for sandbox in self._sandboxes.values():
            await sandbox.close()

    def _player(self, job: MatchJob, number: int) -> Player:
        seat = job.seats[number]
        if job.lodging is Lodging.NONE:
            return LocalPlayer(bot_class(Path(seat.artifact), seat.command[-1], job.game))
        launch = Launch(
            label=f"{job.match_id}-{number}",
            artifact=seat.artifact,
            command=seat.command,
            limits=job.limits,
            zygote=seat.zygote,
            once=job.seed.hex(),
        )
        return SandboxedPlayer(self._stable(job), launch, self._terms, job.ponder)

    def _stable(self, job: MatchJob) -> Stable:
        key = (job.lodging, job.isolation)
        if key not in self._stables:
            kind = WarmStable if job.isolation is Isolation.WARM else FreshStable
            self._stables[key] = kind(self._sandbox(*key))
        return self._stables[key]

    def _sandbox(self, lodging: Lodging, isolation: Isolation) -> Sandbox:
        key = (lodging, isolation)
        if key not in self._sandboxes:
            self._sandboxes[key] = (
                DockerSandbox(self._instance, keep=isolation is Isolation.MATCH)
                if lodging is Lodging.DOCKER
                else ProcessSandbox(self._instance)
            )
        return self._sandboxes[key]


@dataclass(frozen=True, slots=True)
class _InPlay:
    """A match that is being played."""

    task: asyncio.Task[Outcome]
    transcript: Transcript
    #: What may be known of a line by those who watch.
    shown: Callable[[Line], Line | None]
    person: PersonPlayer | None


class _Desk:
    """Takes jobs and orders, and says what comes of them."""

    def __init__(self, worker: Worker, sink: asyncio.WriteTransport) -> None:
        self._worker = worker
        self._sink = sink
        self._in_play: dict[int, _InPlay] = {}

    def take(self, message: Message) -> None:
        """Do what the run says; a match that has ended meanwhile is nobody's order any more."""
        if message.job is not None:
            self._begin(message.number, message.job)
        elif (match := self._in_play.get(message.number)) is None:
            return
        elif message.order is not None:
            self._obey(message.order, message.number, match)
        elif message.answered is not None and match.person is not None:
            match.person.answer(message.answered.number, message.answered.said)

    async def close(self) -> None:
        """Stop whatever is being played, and every bot that is left."""
        tasks = [match.task for match in self._in_play.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._worker.close()

    def _obey(self, order: Order, number: int, match: _InPlay) -> None:
        if order is Order.STOP:
            match.task.cancel()
        elif order is Order.WATCH:
            self._show(number, match)
        elif order is Order.UNWATCH:
            match.transcript.listener = None
        elif match.person is not None:
            match.person.leave()

    def _begin(self, number: int, job: MatchJob) -> None:
        transcript, person = Transcript(), None
        shown: Callable[[Line], Line | None] = public
        if job.person is not None:
            person = PersonPlayer(lambda told: self._sink.write(person_frame(told, number)))
            shown = partial(seen_by, seat=job.person)
        task = asyncio.create_task(self._worker.play(job, transcript, person))
        self._in_play[number] = _InPlay(task, transcript, shown, person)
        # Not within the task, which may be cancelled before it has run at all.
        task.add_done_callback(partial(self._ended, number, job))

    def _ended(self, number: int, job: MatchJob, task: asyncio.Task[Outcome]) -> None:
        del self._in_play[number]
        outcome: Outcome = Voided(job.match_id, VoidReason.STOPPED, "nobody wants it any more")
        if not task.cancelled():
            outcome = task.result()
        self._sink.write(outcome_frame(outcome, number))

    def _show(self, number: int, match: _InPlay) -> None:
        """Tell what may be known; never wait for whoever reads it."""
        transcript = match.transcript
        so_far = [shown for line in transcript.lines if (shown := match.shown(line)) is not None]
        told = len(so_far)
        self._sink.write(lines_frame(so_far, 0, number))

        def tell(line: Line) -> None:
            nonlocal told
            if self._sink.get_write_buffer_size() > _MOST_UNREAD:
                transcript.listener = None
                self._sink.write(cut_frame(number))
            elif (shown := match.shown(line)) is not None:
                self._sink.write(lines_frame([shown], told, number))
                told += 1

        transcript.listener = tell


async def _serve(instance: Instance, jobs: BinaryIO, outcomes: BinaryIO) -> None:
    reader = await open_pipe(jobs)
    sink = await open_sink(outcomes)
    desk = _Desk(Worker(instance), sink)
    sink.write(ready_frame())
    while (message := await read_frame(reader)) is not None:
        desk.take(message)
    await desk.close()
    if not sink.is_closing():  # as it is where the run was killed
        sink.abort()


def main() -> None:
    """Run as a worker: ``python -m arena.tournament.worker RUN-FOLDER``."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    jobs = os.fdopen(os.dup(0), "rb", buffering=0)
    outcomes = os.fdopen(os.dup(1), "wb", buffering=0)
    # A stray print of a bot in this process must not end up between outcomes.
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        with Instance.join(Path(sys.argv[1])) as instance:
            asyncio.run(_serve(instance, jobs, outcomes))
    except SandboxFailed as failed:
        sys.exit(f"match worker: {failed}")


if __name__ == "__main__":
    main()
