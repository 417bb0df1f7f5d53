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
from pathlib import Path
from typing import BinaryIO

from arena.match.clock import Ourselves
from arena.match.faults import MatchStalled, MatchVoid
from arena.match.play import play_match
from arena.match.player import Player
from arena.players.local import LocalPlayer
from arena.sandbox.api import Launch, Sandbox
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.errors import SandboxFailed
from arena.sandbox.instance import Instance
from arena.sandbox.meter import OwnMeter
from arena.sandbox.process import ProcessSandbox
from arena.tournament.frames import open_pipe, outcome_frame, read_frame, ready_frame
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


class Worker:
    """Plays jobs, several at a time, and keeps what can be kept between them."""

    def __init__(self, instance: Instance) -> None:
        """Play as a member of the run ``instance``."""
        self._instance = instance
        self._sandboxes: dict[tuple[Lodging, Isolation], Sandbox] = {}
        self._stables: dict[tuple[Lodging, Isolation], Stable] = {}
        self._terms = Terms(ours=Ourselves(OwnMeter()))

    async def play(self, job: MatchJob) -> Outcome:
        """Play one job; whatever goes wrong on our side is a void."""
        try:
            players = [self._player(job, seat) for seat in range(len(job.seats))]
            return Played(await play_match(job.setup(), players))
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


async def _serve(instance: Instance, jobs: BinaryIO, outcomes: BinaryIO) -> None:
    worker = Worker(instance)
    reader = await open_pipe(jobs)
    outcomes.write(ready_frame())
    outcomes.flush()

    async def play(job: MatchJob) -> None:
        frame = outcome_frame(await worker.play(job))
        # A whole frame at a time: writing blocks only while the run is busy elsewhere.
        outcomes.write(frame)
        outcomes.flush()

    playing: set[asyncio.Task[None]] = set()
    while (message := await read_frame(reader)) is not None:
        if message.job is not None:
            task = asyncio.create_task(play(message.job))
            playing.add(task)
            task.add_done_callback(playing.discard)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await worker.close()


def main() -> None:
    """Run as a worker: ``python -m arena.tournament.worker RUN-FOLDER``."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    jobs = os.fdopen(os.dup(0), "rb", buffering=0)
    outcomes = os.fdopen(os.dup(1), "wb")
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
