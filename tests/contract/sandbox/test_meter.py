"""What a meter says of a running bot, beside a bot that does nothing, in every sandbox."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from arena.sandbox import Ending, RunningBot
from arena.sandbox.cgroups import cgroup_folders
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.freezer import Freezer
from arena.sandbox.instance import LABEL_PREFIX
from arena.sandbox.meter import Meter
from tests.contract.sandbox.conftest import CONTAINED, Place

#: For what a plain process does not have: other processes in its meter, and a freezer.
contained = pytest.mark.parametrize("kind", CONTAINED, indirect=True)

WORK = 0.3


class Seen(NamedTuple):
    """What a meter saw of an order, in seconds."""

    wall: float
    cpu: float
    waited: float

    @property
    def slept(self) -> float:
        return self.wall - self.cpu - self.waited


def meter_of(bot: RunningBot) -> Meter:
    assert bot.meter is not None
    return bot.meter


async def seen(place: Place, bot: RunningBot, *words: str) -> Seen:
    """Let the bot do something and read its meter before and after."""
    meter = meter_of(bot)
    began, before, mark = time.monotonic(), meter.cpu(), meter.mark()
    await place.ask(bot, *words)
    wall = time.monotonic() - began
    return Seen(wall, meter.cpu() - before, meter.waited(mark))


@pytest.fixture
def hogs() -> Iterator[None]:
    """Four programs that take all the CPU time they get."""
    command = [sys.executable, "-I", "-S", "-c", "while True: pass"]
    running = [subprocess.Popen(command) for _ in range(4)]
    yield
    for hog in running:
        hog.kill()
        hog.wait()


async def test_work_is_cpu_time(place: Place) -> None:
    """What a bot computes shows as its CPU time."""
    bot = await place.start("serve")
    assert WORK <= (await seen(place, bot, "compute", str(WORK))).cpu < WORK + 0.1


async def test_sleep_is_neither_cpu_time_nor_waiting(place: Place, hogs: None) -> None:
    """However busy the machine is, sleep can be told from waiting."""
    bot = await place.start("serve")
    found = await seen(place, bot, "nap", str(WORK))
    assert found.cpu < WORK / 3
    assert found.slept >= WORK * 0.9


async def test_what_others_took_is_waiting(place: Place, hogs: None) -> None:
    """Beside hogs, wall time is work and waiting, and next to nothing is left over."""
    bot = await place.start("serve")
    found = await seen(place, bot, "compute", str(WORK))
    assert found.waited >= (found.wall - found.cpu) / 2 - 0.02
    assert found.slept < 0.1 + found.wall / 5


@contained
async def test_processes_that_keep_each_other_waiting_have_not_waited(place: Place) -> None:
    """Four that may use one CPU together take four times as long, and it is the bot's own time."""
    bot = await place.start("serve")
    mine = await seen(place, bot, "contend", "4", str(WORK))
    alone = await seen(place, bot, "compute", str(WORK))
    assert mine.cpu >= 3.5 * WORK
    # A busy machine keeps it waiting as it does one that computes alone.
    busy = alone.waited / alone.wall
    assert mine.waited <= 0.2 + (busy + 0.3) * mine.wall


@contained
async def test_a_frozen_bot_stands_still_until_it_is_thawed(place: Place) -> None:
    """What it does in the background goes on afterwards."""
    bot = await place.start("serve")
    meter = meter_of(bot)
    await place.ask(bot, "compute_on", "0.3")
    meter.freeze()
    await asyncio.sleep(0.05)
    assert meter.held()
    before = meter.cpu()
    await asyncio.sleep(0.2)
    assert meter.cpu() == before
    meter.thaw()
    assert not meter.held()
    assert await place.ask(bot, "hello") == "hello"
    await asyncio.sleep(0.2)
    assert meter.cpu() > before


async def test_only_containers_can_be_frozen(place: Place) -> None:
    """And by root only, which these tests run as."""
    assert meter_of(await place.start("serve")).can_freeze is place.contained


async def test_a_frozen_bot_is_stopped_like_any_other(place: Place) -> None:
    """It is thawed first, since a frozen process does not die."""
    bot = await place.start("serve")
    meter_of(bot).freeze()
    began = time.monotonic()
    report = await bot.stop()
    assert report.ending is Ending.STOPPED
    assert time.monotonic() - began < 8
    assert place.traces() == []


async def test_the_meter_of_a_stopped_bot_stays_where_it_was(place: Place) -> None:
    """Whoever still has it reads what was used, and touches nothing."""
    bot = await place.start("serve")
    meter = meter_of(bot)
    await place.ask(bot, "compute", "0.1")
    mark = meter.mark()
    used = meter.cpu()
    await bot.stop()
    assert used <= meter.cpu() < used + 0.1
    assert meter.waited(mark) >= 0
    meter.freeze()
    meter.thaw()
    assert not meter.held()


@contained
async def test_whoever_kills_a_container_thaws_it_first(place: Place) -> None:
    """Though an arena froze it that was killed since."""
    bot = await place.start("serve")
    assert isinstance(place.sandbox, DockerSandbox)
    engine = place.sandbox.engine
    [container] = engine.find({LABEL_PREFIX + "instance": place.instance.path.name})
    pid = engine.state(container.name).pid
    freezer = Freezer.find(cgroup_folders(pid, container.name))
    assert freezer is not None
    freezer.freeze()
    assert meter_of(bot).held()
    freezer.frozen = False  # it forgets, as one that is killed
    freezer.close()
    began = time.monotonic()
    assert engine.kill(container.name)
    assert not engine.state(container.name).running
    assert time.monotonic() - began < 8
