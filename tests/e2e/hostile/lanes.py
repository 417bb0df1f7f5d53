"""Plays trials in several lanes side by side; each test waits for its own trial."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Self

import docker

from arena.sandbox.instance import Instance
from arena.tournament.executor import LocalExecutor
from arena.tournament.job import Lodging, SeatJob
from tests.e2e.hostile.bots import CONTROL, OPPONENT
from tests.e2e.hostile.expecting import Setting
from tests.e2e.hostile.lane import Lane, Seen, Trial

#: Most trials wait for a timer, so there may be more of them than cores.
LANES = 4


class Lanes:
    """Lanes in a thread of their own, which play trials in the given order."""

    def __init__(
        self,
        engine: docker.APIClient,
        folder: Path,
        seat_of: Callable[[str, Lodging], SeatJob],
        trials: Sequence[Trial],
    ) -> None:
        """`folder` is for runs and logs; `seat_of` gets a bot ready, in a thread, one at a time."""
        self._engine = engine
        self._folder = folder
        self._seat_of = seat_of
        self._waiting = deque(trials)
        self._seen: dict[Trial, Future[Seen]] = {trial: Future() for trial in trials}
        self._alone = asyncio.Lock()
        self._thread = threading.Thread(target=self._run, name="lanes")
        self._loop = asyncio.new_event_loop()
        self._work: asyncio.Task[None] | None = None
        #: A match between honest bots on each lane, before all others.
        self.controls: list[Seen] = []
        #: What was left on the machine when a lane had ended.
        self.left: list[str] = []

    def __enter__(self) -> Self:
        for number in range(LANES):
            self._lane_folder(number).mkdir()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not all(seen.done() for seen in self._seen.values()):
            self._loop.call_soon_threadsafe(self._stop)
        self._thread.join()
        self._loop.close()

    def seen(self, trial: Trial, seconds: float) -> Seen:
        """Wait for a trial; raises what kept it from being played."""
        return self._seen[trial].result(seconds)

    def all_seen(self) -> list[Seen]:
        """The trials that were played."""
        done = [seen for seen in self._seen.values() if seen.done() and not seen.exception()]
        return [seen.result() for seen in done]

    def _run(self) -> None:
        self._work = self._loop.create_task(self._play_all())
        try:
            self._loop.run_until_complete(self._work)
        except BaseException as failure:  # it is for whoever waits
            for seen in self._seen.values():
                if not seen.done():
                    seen.set_exception(failure)

    def _stop(self) -> None:
        """Nobody waits any more."""
        if self._work is not None:
            self._work.cancel()

    async def _play_all(self) -> None:
        controlled = asyncio.Barrier(count := min(LANES, len(self._waiting)))
        async with asyncio.TaskGroup() as lanes:
            for number in range(count):
                lanes.create_task(self._lane(number, controlled))

    def _lane_folder(self, number: int) -> Path:
        return self._folder / f"lane{number}"

    async def _lane(self, number: int, controlled: asyncio.Barrier) -> None:
        folder = self._lane_folder(number)
        with (
            Instance.create(folder / "run", "hostile") as instance,
            (folder / "log").open("w") as log,
        ):
            executor = LocalExecutor(instance, workers=1, matches_per_worker=1, log=log)
            async with executor:
                lane = Lane(self._engine, instance, executor)
                control = Trial(CONTROL, Lodging.DOCKER, Setting())
                seats = await self._seats(control)
                await lane.control(control, seats)  # warms the worker up
                self.controls.append(await lane.control(control, seats))
                await controlled.wait()
                while self._waiting:
                    await self._try(lane, self._waiting.popleft())
            self.left += await asyncio.to_thread(lane.left)

    async def _try(self, lane: Lane, trial: Trial) -> None:
        seen = self._seen[trial]
        try:
            seats = await self._seats(trial)
            for number in range(trial.setting.matches):
                last = await lane.play(trial, seats, number)
        except Exception as failure:
            seen.set_exception(failure)
        else:
            seen.set_result(last)

    async def _seats(self, trial: Trial) -> list[SeatJob]:
        async with self._alone:
            bots = [await self._seat(name, trial.lodging) for name in (trial.name, OPPONENT)]
        return [*bots[:1] * trial.setting.copies, bots[1]]

    async def _seat(self, name: str, lodging: Lodging) -> SeatJob:
        while True:
            try:
                return await asyncio.to_thread(self._seat_of, name, lodging)
            except KeyError as changed:
                # docker-py reads through the environment while pytest changes it for each test.
                if changed.args != ("PYTEST_CURRENT_TEST",):
                    raise
