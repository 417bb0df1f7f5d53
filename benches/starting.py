"""From "start a bot" to its first reply: a new container, a process forked in a kept one, or none.

Each sample starts the sample bot `greedy` through the sandbox as a match does, connects, and waits
until its health service says SERVING. Warm play only connects anew, since its process is there.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from arena.app.bots import contestants, lodging
from arena.app.bots.samples import sample_bot
from arena.app.home import instance, open_store
from arena.players.channel import ask_health, connect
from arena.sandbox.api import Launch, RunningBot
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.instance import Instance
from arena.store import Store
from arena.tournament.job import Lodging
from benches._harness import Table, by_turns, rows

_ROUNDS = 40


class _Side:
    """One way to a bot that answers; each call is one start, and its end is not counted."""

    def __init__(self, runner: asyncio.Runner, sandbox: DockerSandbox, launch: Launch) -> None:
        self._runner = runner
        self._sandbox = sandbox
        self._launch = launch
        #: CPU seconds of each sample: the arena's own, and those of the bot's container.
        self.ours: list[float] = []
        self.its: list[float] = []
        self._used = 0.0

    def __call__(self) -> float:
        return self._runner.run(self._sample())

    async def _sample(self) -> float:
        began, used = time.perf_counter(), time.process_time()
        bot = await self._bot()
        channel = connect(bot.address)
        while await ask_health(channel, 5) is not None:  # noqa: ASYNC110 - nobody would tell us
            await asyncio.sleep(0.001)
        took = time.perf_counter() - began
        self.ours.append(time.process_time() - used)
        assert bot.meter is not None
        in_all = bot.meter.cpu()
        # The counter is the container's, which may have played before.
        self.its.append(in_all - self._used if in_all >= self._used else in_all)
        await channel.close()
        self._used = in_all
        await self._done(bot)
        return took

    async def _bot(self) -> RunningBot:
        return await self._sandbox.start(self._launch, timeout=20)

    async def _done(self, bot: RunningBot) -> None:
        await bot.stop()


class _Warm(_Side):
    """A bot that is there already."""

    _running: RunningBot | None = None

    async def _bot(self) -> RunningBot:
        if self._running is None:
            self._running = await super()._bot()
        return self._running

    async def _done(self, bot: RunningBot) -> None:
        """It stays until its sandbox is closed."""


def bench() -> Iterator[Table]:
    """Milliseconds to the first reply."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-arena-")))
        store = stack.enter_context(open_store(home))
        member = stack.enter_context(instance(store, containers=True))
        choice = lodging.choose(member, lambda text: print(text, file=sys.stderr))
        if choice.lodging is not Lodging.DOCKER:
            raise SystemExit(f"this bench needs a container engine: {choice.why}")
        yield _starts(stack, store, member)


def _close(runner: asyncio.Runner, box: DockerSandbox) -> None:
    runner.run(box.close())


def _starts(stack: ExitStack, store: Store, member: Instance) -> Table:
    found = contestants.find_all(store, [str(sample_bot("greedy"))], "claims")
    (seat,) = lodging.prepare(store, member, found, lodging=Lodging.DOCKER, game="claims")
    plain = Launch("bench", seat.artifact, seat.command)
    forked = Launch("bench", seat.artifact, seat.command, zygote=seat.zygote)
    runner = stack.enter_context(asyncio.Runner())
    boxes = [DockerSandbox(member, keep=keep) for keep in (True, False, False, False)]
    for box in boxes:
        stack.callback(_close, runner, box)
    sides = {
        "forked in a container that is there": _Side(runner, boxes[0], forked),
        "a new container": _Side(runner, boxes[1], plain),
        "a new container with a zygote": _Side(runner, boxes[2], forked),
        "warm: only a new connection": _Warm(runner, boxes[3], plain),
    }
    samples = by_turns(sides, _ROUNDS)
    more = {
        name: {
            "arena's CPU": statistics.median(side.ours[1:]) * 1000,
            "bot's CPU": statistics.median(side.its[1:]) * 1000,
        }
        for name, side in sides.items()
    }
    return Table(
        "a bot's start to its first reply",
        "ms",
        rows({name: [each * 1000 for each in values] for name, values in samples.items()}, more),
        "CPU in ms; what the container engine uses for a new container is not in it",
    )
