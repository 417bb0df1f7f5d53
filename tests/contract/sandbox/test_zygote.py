"""One container, one match after another: each in a process that finds nothing of the others."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox import Ending, Launch, Limits, RunningBot
from arena.sandbox.docker import DockerSandbox
from tests.contract.sandbox.conftest import CONTAINED, Place, a_place, open_descriptors

TRACE = "left_behind"
"""What `traces.py` calls whatever it leaves."""

pytestmark = pytest.mark.docker


@pytest.fixture
def kind() -> str:
    """Containers that have a zygote, unless a test compares."""
    return "zygote"


@pytest.fixture
async def place(kind: str, bot_image: str, tmp_path: Path) -> AsyncIterator[Place]:
    """A sandbox that keeps its containers between matches, where they can be kept."""
    before = open_descriptors()
    async with a_place(kind, tmp_path, bot_image, keep=True) as made:
        yield made
        await made.sandbox.close()
        assert made.traces() == []
    assert open_descriptors() == before


def tracer(place: Place) -> Launch:
    """A launch of the bot that leaves traces and looks for them."""
    return replace(place.launch(), command=("python3", "traces.py"))


def containers(place: Place) -> list[str]:
    """The containers that there are now, playing or idle."""
    return [trace for trace in place.traces() if trace.startswith("container")]


def first_process(place: Place) -> int:
    """The id of the only container's first process, as it is outside."""
    assert isinstance(place.sandbox, DockerSandbox)
    (name,) = containers(place)
    return place.sandbox.engine.state(name.removeprefix("container ")).pid


async def play(place: Place, launch: Launch) -> RunningBot:
    """Start a bot with time enough for a busy machine."""
    return await place.sandbox.start(launch, timeout=20)


@pytest.mark.parametrize("kind", CONTAINED)
async def test_a_match_finds_nothing_of_the_one_before(place: Place) -> None:
    """Modules, files, processes, sockets, locks, limits, times: as in a container of its own."""
    launch = tracer(place)
    first = await play(place, launch)
    container = await place.ask(first, "first")
    began = time.time()
    nothing = await place.ask(first, "find", str(began), str(began))
    assert not any(nothing.values())
    await place.ask(first, "leave")
    ended = time.time()
    # The same bot does find what it left, so the next one could.
    found = await place.ask(first, "find", str(began), str(ended))
    assert all(found.values())
    assert len(found["processes"]) >= 4
    assert f"a socket named {TRACE}" in found["processes"]
    assert any("/dev/null" in trace for trace in found["times"])
    await asyncio.sleep(1.1)  # some file systems tell times in whole seconds
    await first.stop()

    second = await play(place, launch)
    assert (await place.ask(second, "first") == container) == (place.kind == "zygote")
    assert await place.ask(second, "find", str(began), str(ended)) == nothing


async def test_a_container_plays_many_matches_each_with_its_own_user_and_folder(
    place: Place,
) -> None:
    """One container, and neither user id, process, address nor chance twice."""
    seen: list[dict[str, Any]] = []
    for _ in range(4):
        bot = await place.start("serve")
        seen.append(await place.ask(bot, "look"))
        await bot.stop()
        assert len(containers(place)) == 1
    assert len({each["uid"] for each in seen}) == 4
    assert len({each["pid"] for each in seen}) == 4
    assert len({each["env"]["ARENABOT_ADDRESS"] for each in seen}) == 4


async def test_a_container_never_meets_a_mark_twice(place: Place) -> None:
    """Matches of the same deals go to different containers, other deals to those that are idle."""
    deals = [replace(place.launch("serve"), once=mark) for mark in ("one", "one", "two", "two")]
    counts = []
    for launch in deals:
        bot = await play(place, launch)
        await bot.stop()
        counts.append(len(containers(place)))
    assert counts == [1, 2, 2, 2]


async def test_two_matches_at_once_have_two_containers(place: Place) -> None:
    """One match at a time in a container."""
    first, second = await asyncio.gather(place.start("serve"), place.start("serve"))
    assert len(containers(place)) == 2
    await asyncio.gather(first.stop(), second.stop())
    assert len(containers(place)) == 2


async def test_the_first_process_is_out_of_a_bots_reach(place: Place) -> None:
    """Neither its memory nor its files, limits or signals, nor a way to give it orders."""
    bot = await place.start("serve")
    for secret in ("mem", "environ", "maps", "auxv", "syscall", "stack"):
        assert await place.ask(bot, "read", f"/proc/1/{secret}") is None, secret
    for folder in ("fd", "fdinfo", "map_files", "cwd", "root"):
        assert await place.ask(bot, "list", f"/proc/1/{folder}") is None, folder
    refused = "Operation not permitted"
    assert await place.ask(bot, "try", "kill", "1") == refused
    assert await place.ask(bot, "try", "call", "302", "1", "7", "0", "0") == refused  # prlimit64
    for path in ("/proc/1/oom_score_adj", "/proc/1/mem", "/proc/1/clear_refs", "/proc/1/comm"):
        assert await place.ask(bot, "try", "write", path) in {"Permission denied", refused}, path
    assert await place.ask(bot, "try", "write", "/run/arena/control.sock") == "Permission denied"
    assert await place.ask(bot, "shell", "test", "-e", "/run/arena/control.sock") == 1


async def test_a_bot_starts_with_nothing_open_and_no_privilege(place: Place) -> None:
    """Three descriptors, every set of capabilities empty, and the first to go if memory ends."""
    bot = await place.start("serve")
    status = (await place.ask(bot, "look"))["status"]
    assert {status[f"Cap{name}"] for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
    assert len(set(status["Uid"].split())) == len(set(status["Gid"].split())) == 1
    # Its listening socket and the connection that asks come on top.
    opened = await place.ask(bot, "list", "/proc/self/fd")
    assert await place.ask(bot, "read", "/proc/self/oom_score_adj") == "500\n"
    assert await place.ask(bot, "read", "/proc/1/oom_score_adj") == "0\n"
    assert set(opened) - {"0", "1", "2"} <= {"3", "4", "5"}


async def test_standard_output_can_be_opened_by_its_name(place: Place) -> None:
    """As some programs do to print."""
    bot = await place.start("serve")
    assert await place.ask(bot, "shell", "echo", "by", "name", ">", "/dev/stdout") == 0
    assert (await bot.stop()).log == "by name\n"


async def test_a_command_that_is_no_python_file_is_run_as_it_is(place: Place) -> None:
    """Whatever the image can run gets a process of its own, with the same environment."""
    launch = replace(place.launch(), command=("sh", "-c", "exec python3 -u bot.py serve"))
    for _ in range(2):
        bot = await play(place, launch)
        seen = await place.ask(bot, "look")
        assert {name for name in seen["env"] if name not in {"LC_CTYPE", "PWD"}} == {
            *("ARENABOT_ADDRESS", "HOME", "HOSTNAME", "PATH")
        }
        assert seen["env"]["HOME"] == "/"
        await bot.stop()
    assert len(containers(place)) == 1


async def test_a_bot_that_memory_killed_is_told_so_and_its_container_goes(place: Place) -> None:
    """The zygote outlives it, its verdict is the bot's own, and the container is not used again."""
    bot = await place.start("serve", limits=Limits(memory_mib=48))
    assert await place.ask(bot, "hog", "1000") is None
    report = await place.until_ended(bot)
    assert (report.ending, report.exit_code) == (Ending.OUT_OF_MEMORY, 137)
    await bot.stop()
    assert containers(place) == []


async def test_a_fork_bomb_is_gone_within_a_second(place: Place) -> None:
    """However it forks, starts threads and ignores signals; and its container is clean again."""
    times = []
    for _ in range(3):
        bot = await play(place, replace(place.launch(), command=("python3", "bot.py", "bomb")))
        await asyncio.sleep(0.5)
        begin = time.monotonic()
        await bot.stop()
        times.append(time.monotonic() - begin)
        assert len(containers(place)) == 1
    assert min(times) < 1


async def test_peak_memory_is_counted_for_each_match(place: Place) -> None:
    """A frugal match after a greedy one is not told of the other's memory."""
    bot = await place.start("serve")
    await place.ask(bot, "hog", "100")
    assert ((await bot.stop()).peak_memory or 0) > 100 << 20
    bot = await place.start("serve")
    assert 0 < ((await bot.stop()).peak_memory or 0) < 60 << 20
    assert len(containers(place)) == 1


async def test_a_zygote_that_is_gone_is_nobodys_fault(place: Place) -> None:
    """If somebody kills the first process, the bot is not blamed and the container goes."""
    bot = await place.start("serve")
    os.kill(first_process(place), signal.SIGKILL)
    report = await place.until_ended(bot)
    assert report.ending is Ending.ENGINE_LOST
    assert "not the bot's fault" in report.detail
    assert (await bot.stop()).ending is Ending.ENGINE_LOST
    assert containers(place) == []


async def test_a_container_that_died_while_it_was_idle_is_replaced(place: Place) -> None:
    """A match gets another container, and nobody hears of the one that was lost."""
    bot = await place.start("serve")
    await bot.stop()
    os.kill(first_process(place), signal.SIGKILL)
    await asyncio.sleep(0.2)
    bot = await place.start("serve")
    assert await place.ask(bot, "hello") == "hello"
    assert len(containers(place)) == 1


def children(pid: int) -> list[int]:
    """The processes that this one has started and not yet buried."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


async def spare_of(zygote: int) -> int:
    """The process that it has ready for the next match."""
    async with asyncio.timeout(20):
        while not (found := children(zygote)):  # noqa: ASYNC110 - nobody would tell us
            await asyncio.sleep(0.01)
    (spare,) = found
    return spare


async def test_a_match_is_played_by_the_process_that_waited_for_it(place: Place) -> None:
    """It is forked when the match before has ended, and while a match runs none is there."""
    bot = await place.start("serve")
    zygote = first_process(place)
    assert len(children(zygote)) == 1
    await bot.stop()
    spare = await spare_of(zygote)
    bot = await place.start("serve")
    assert children(zygote) == [spare]
    assert await place.ask(bot, "hello") == "hello"


async def test_a_process_that_died_while_it_waited_is_replaced(place: Place) -> None:
    """The next match has another, and nobody hears of it."""
    bot = await place.start("serve")
    await bot.stop()
    zygote = first_process(place)
    killed = await spare_of(zygote)
    os.kill(killed, signal.SIGKILL)
    bot = await place.start("serve")
    assert await place.ask(bot, "hello") == "hello"
    assert children(zygote) != [killed]


async def test_an_engine_that_goes_away_leaves_a_running_match_alone(place: Place) -> None:
    """What the engine is not needed for goes on; an end without it is nobody's fault."""
    bot = await place.start("serve")
    assert isinstance(place.sandbox, DockerSandbox)
    place.sandbox.engine.life().close()  # as a watch whose engine has gone
    assert (await bot.report()).ending is Ending.RUNNING
    await place.ask(bot, "exit", "1")
    assert (await place.until_ended(bot)).ending is Ending.ENGINE_LOST


async def test_a_match_ends_with_its_first_process(place: Place) -> None:
    """As in a container of its own, a program that leaves ends all that it had started."""
    command = ("sh", "-c", "setsid python3 bot.py serve & sleep 1; exit 3")
    bot = await play(place, replace(place.launch(), command=command))
    report = await place.until_ended(bot)
    assert (report.ending, report.exit_code) == (Ending.EXITED, 3)
    with pytest.raises(OSError, match="refused"):
        await place.ask(bot, "hello")


async def test_what_a_match_leaves_in_the_kernel_is_not_the_next_ones_burden(place: Place) -> None:
    """Names looked up in vain stay in the kernel's memory, which counts as the container's."""
    bot = await place.start("serve")
    await place.ask(bot, "look_up", "300000")
    assert ((await bot.stop()).peak_memory or 0) > 50 << 20
    assert containers(place) == []


async def test_a_container_that_cant_be_swept_clean_goes(place: Place) -> None:
    """Here somebody holds a file of the bot's open, so its bytes stay when its name is gone."""
    bot = await place.start("serve")
    await place.ask(bot, "try", "write", "/tmp/kept")
    held = os.open(f"/proc/{first_process(place)}/root/tmp/kept", os.O_RDONLY)
    await bot.stop()
    os.close(held)
    assert containers(place) == []
    bot = await place.start("serve")
    await place.ask(bot, "try", "write", "/tmp/kept")
    await bot.stop()
    assert len(containers(place)) == 1
