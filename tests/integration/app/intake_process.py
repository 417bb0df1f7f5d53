"""Run as a program: go on with what is unfinished of a store, and die at a certain step.

    intake_process.py FOLDER STEP

STEP is a state, which has just been written, or `played-1`, when the first match of this run has
just been played; with any other it lives to the end. Each state that it comes to is printed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from itertools import count
from pathlib import Path

from arena.app.bots import intake
from arena.app.home import instance
from arena.store import Store, StoredSubmission
from arena.tournament.executor import LocalExecutor
from arena.tournament.job import MatchJob, Outcome


def main(folder: Path, step: str) -> None:
    """Do it."""

    def come_to(where: str) -> None:
        print(where, flush=True)
        if where == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def changed(found: StoredSubmission) -> None:
        come_to(found.state.value)

    async def go_on() -> None:
        with Store.open(folder) as store, instance(store, containers=True) as member:
            async with LocalExecutor(member, workers=1) as executor:
                played = count(1)

                async def play(job: MatchJob) -> Outcome:
                    outcome = await executor.play(job)
                    come_to(f"played-{next(played)}")
                    return outcome

                for found in store.submissions.unfinished():
                    await intake.process(
                        store, found.id, member=member, play=play, on_change=changed
                    )

    asyncio.run(go_on())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
