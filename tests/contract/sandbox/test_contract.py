"""What every sandbox does, tried on all of them."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.sandbox import Ending, Limits, SandboxFailed, StartFailed

if TYPE_CHECKING:
    from tests.contract.sandbox.conftest import Place


def its_processes(place: Place, seen: dict[str, Any]) -> set[str]:
    """The processes with living threads of a bot that looked around."""
    address = f"ARENABOT_ADDRESS={seen['env']['ARENABOT_ADDRESS']}".encode()
    found = set()
    for thread in Path("/proc").glob("[0-9]*/task/*"):
        with suppress(OSError):
            its = (
                thread.stat().st_uid == seen["uid"]
                if place.contained  # where all bots have the same address
                else address in (thread / "environ").read_bytes().split(b"\0")
            )
            if its and "State:\tZ" not in (thread / "status").read_text():
                found.add(thread.parts[2])
    return found


async def test_a_started_bot_answers_at_its_address(place: Place) -> None:
    """The address that `start` hands back leads to the bot, and the report says that it runs."""
    bot = await place.start("serve")
    assert await place.ask(bot, "hello") == "hello"
    report = await bot.report()
    assert report.ending is Ending.RUNNING
    assert report.exit_code is None
    assert report.peak_memory is not None
    assert 1 << 20 < report.peak_memory < 100 << 20
    assert report.detail.startswith("is running after using ")


async def test_a_stopped_bot_leaves_nothing(place: Place) -> None:
    """After `stop` there is no container, mount, folder, user id or answer; the report says so."""
    bot = await place.start("serve")
    address = bot.address
    assert place.traces() != []
    report = await bot.stop()
    assert report.ending is Ending.STOPPED
    assert report.exit_code is None
    assert report.peak_memory is not None
    assert place.traces() == []
    with pytest.raises(OSError, match="No such file"):
        await asyncio.open_unix_connection(address.removeprefix("unix:"))


async def test_stopping_twice_and_at_the_same_time_is_one_stop(place: Place) -> None:
    """`stop` may be repeated, also while another runs, and always says the same."""
    bot = await place.start("serve")
    first, second = await asyncio.gather(bot.stop(), bot.stop())
    assert first == second == await bot.stop() == await bot.report()


async def test_a_bot_that_ignores_signals_is_gone_at_once(place: Place) -> None:
    """A bot that ignores SIGTERM is gone within half a second (SECURITY, CPU and time)."""
    bot = await place.start("serve_stubborn")
    times = []
    for _ in range(3):
        begin = time.monotonic()
        await bot.stop()
        times.append(time.monotonic() - begin)
        bot = await place.start("serve_stubborn")
    assert min(times) < 0.5


async def test_a_bot_whose_main_thread_is_done_goes_on(place: Place) -> None:
    """A program lasts as long as its threads, and keeps what they have open."""
    bot = await place.start("serve_from_thread")
    for _ in range(3):
        assert await place.ask(bot, "hello") == "hello"


async def test_a_bot_that_listens_late_is_waited_for(place: Place) -> None:
    """A socket on which nobody listens yet is no failure."""
    bot = await place.start("serve_later")
    assert await place.ask(bot, "hello") == "hello"


async def test_a_bot_without_a_socket_fails_after_its_time(place: Place) -> None:
    """A bot that makes no socket raises StartFailed at its time-out, and is stopped."""
    begin = time.monotonic()
    with pytest.raises(StartFailed, match=r"made no socket within 0\.5 s") as raised:
        await place.sandbox.start(place.launch("sleep"), timeout=0.5)
    assert 0.5 <= time.monotonic() - begin < 10
    assert raised.value.report.ending is Ending.STOPPED
    assert place.traces() == []


async def test_a_bot_that_dies_at_once_fails_with_its_exit_code_and_log(place: Place) -> None:
    """A bot that ends before it listens raises StartFailed with all that its author needs."""
    with pytest.raises(StartFailed, match="ended by itself with exit code 1") as raised:
        await place.start("die")
    report = raised.value.report
    assert (report.ending, report.exit_code) == (Ending.EXITED, 1)
    assert "no bot today" in report.log


@pytest.mark.parametrize(
    ("command", "code"), [("/no/such/program", 127), ("/etc/passwd", 126), ("nothing", 127)]
)
async def test_a_command_that_cant_be_run_is_the_bots_fault(
    place: Place, command: str, code: int
) -> None:
    """A missing program or one that isn't executable is reported as a shell would."""
    launch = replace(place.launch(), command=(command,))
    with pytest.raises(StartFailed) as raised:
        await place.sandbox.start(launch, timeout=20)
    report = raised.value.report
    assert (report.ending, report.exit_code) == (Ending.EXITED, code)
    assert command in report.detail + report.log
    assert place.traces() == []


@pytest.mark.parametrize(
    ("behaviour", "what"),
    [
        ("symlink", "a symbolic link"),
        ("folder", "a folder"),
        ("file", "a file"),
        ("fifo", "a FIFO"),
        ("datagram", "a socket that can't be used"),
    ],
)
async def test_something_else_in_the_sockets_place_is_refused(
    place: Place, behaviour: str, what: str
) -> None:
    """Nothing but a listening socket of the bot's own is handed back as an address."""
    with pytest.raises(StartFailed) as raised:
        await place.start(behaviour)
    if place.contained and behaviour == "fifo":  # mknod is refused, so the bot dies of it
        assert "Operation not permitted" in raised.value.report.log
    else:
        assert raised.value.report.detail.startswith(f"made {what}")
        assert raised.value.report.detail.endswith("in place of its socket")
    assert place.traces() == []


async def test_a_socket_swapped_later_leads_nowhere_else(place: Place) -> None:
    """The address is the socket that was checked, whatever lies in its place afterwards."""
    bot = await place.start("serve")
    assert await place.ask(bot, "swap", "/var/run/docker.sock") == "swapped"
    assert await place.ask(bot, "hello") == "hello"


async def test_a_bot_that_exits_later_is_reported_with_its_code(place: Place) -> None:
    """An exit code of the bot's own choice reaches the report, before and after `stop`."""
    bot = await place.start("serve")
    assert await place.ask(bot, "exit", "7") is None
    report = await place.until_ended(bot)
    assert (report.ending, report.exit_code) == (Ending.EXITED, 7)
    assert report.detail == "ended by itself with exit code 7"
    assert (await bot.stop()).ending is Ending.EXITED


async def test_a_bot_that_a_signal_ends_is_reported_by_its_name(place: Place) -> None:
    """A crash is told by the signal, as a shell numbers it."""
    bot = await place.start("serve")
    await place.ask(bot, "crash")
    report = await place.until_ended(bot)
    assert (report.ending, report.exit_code) == (Ending.EXITED, 139)
    assert "signal 11 (SIGSEGV)" in report.detail


async def test_an_endless_file_ends_the_bot_by_a_limit(place: Place, tmp_path: Path) -> None:
    """A file larger than allowed is a limit, not a crash, and the report says which one."""
    target = "/tmp/big" if place.contained else str(tmp_path / "big")
    launch = place.launch("serve", limits=Limits(tmp_mib=64, file_mib=2))
    # The first process of a container is spared such a signal, so it is given a parent here.
    command = ("sh", "-c", f"{' '.join(launch.command)}; exit $?")
    bot = await place.sandbox.start(replace(launch, command=command), timeout=20)
    await place.ask(bot, "big_file", target)
    report = await place.until_ended(bot)
    assert (report.ending, report.exit_code) == (Ending.LIMIT, 153)
    assert report.detail == "wrote a file of more than 2 MiB and was stopped"


async def test_a_flood_of_output_keeps_its_end_within_the_cap(place: Place) -> None:
    """100 MB on standard output leave a log within its cap, with the newest lines."""
    bot = await place.start("serve", limits=Limits(log_kib=64))
    assert await place.ask(bot, "print", "100") == "printed"
    report = await bot.stop()
    assert 100 < len(report.log) <= 64 << 10
    assert report.log.endswith("the end\n")


async def test_a_log_is_raw_text(place: Place) -> None:
    """Control characters reach the report as they are, bytes that aren't UTF-8 as U+FFFD."""
    bot = await place.start("serve")
    await place.ask(bot, "say")
    assert (
        await bot.stop()
    ).log == "red \x1b[31m, nothing \x00, not UTF-8 \N{REPLACEMENT CHARACTER}\n"


async def test_children_end_with_their_bot(place: Place) -> None:
    """A child in a session of its own doesn't outlive its bot."""
    bot = await place.start("serve")
    marker = await place.ask(bot, "leave_child")
    assert place.processes_with(marker) != []
    await bot.stop()
    assert place.processes_with(marker) == []


async def test_threads_end_with_their_bot(place: Place) -> None:
    """Threads that outlive the main thread of their process don't outlive their bot.

    An engine takes such a process for ended, and neither kills it nor waits for it.
    """
    bot = await place.start("serve_headless")
    seen = await place.ask(bot, "look")
    before = its_processes(place, seen)
    begin = time.monotonic()
    await bot.stop()
    assert time.monotonic() - begin < 8
    assert len(before) == 2
    assert its_processes(place, seen) == set()


async def test_a_start_that_is_cancelled_leaves_nothing(place: Place) -> None:
    """A start cancelled at any moment takes all that it made away."""
    for wait in (0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.4):
        start = asyncio.ensure_future(place.sandbox.start(place.launch("sleep"), timeout=20))
        await asyncio.sleep(wait)
        start.cancel()
        with pytest.raises(asyncio.CancelledError):
            await start
        assert place.traces() == [], wait


async def test_a_stop_that_is_cancelled_still_stops(place: Place) -> None:
    """Who waits for `stop` gets a cancellation only when the bot is gone."""
    bot = await place.start("serve")
    stop = asyncio.ensure_future(bot.stop())
    # Let it begin, and no more: on a busy machine a longer pause may see its end.
    await asyncio.sleep(0)
    stop.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stop
    assert place.traces() == []
    assert (await bot.stop()).ending is Ending.STOPPED


async def test_closing_the_sandbox_stops_its_bots(place: Place) -> None:
    """`close` leaves no bot behind."""
    bots = [await place.start("serve") for _ in range(2)]
    await place.sandbox.close()
    assert place.traces() == []
    assert [(await bot.report()).ending for bot in bots] == [Ending.STOPPED] * 2


async def test_closing_the_sandbox_ends_its_starts(place: Place) -> None:
    """A start in progress fails by our fault when its sandbox is closed, and leaves nothing."""
    start = asyncio.ensure_future(place.sandbox.start(place.launch("sleep"), timeout=20))
    await asyncio.sleep(0.05)
    await place.sandbox.close()
    with pytest.raises(SandboxFailed, match="closed while a bot was starting"):
        await start
    assert place.traces() == []


async def test_bots_start_side_by_side_with_different_addresses(place: Place) -> None:
    """Several starts at once give each bot an address that no other has, or had before."""
    first = await place.start("serve")
    gone = first.address
    await first.stop()
    bots = await asyncio.gather(*(place.start("serve") for _ in range(4)))
    assert len({gone, *(bot.address for bot in bots)}) == 5
    pids = [(await place.ask(bot, "look"))["env"]["ARENABOT_ADDRESS"] for bot in bots]
    if place.kind == "process":
        assert len(set(pids)) == 4


async def test_a_bot_sees_nothing_of_our_environment(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its environment is what the launch says, a path, and where to listen."""
    monkeypatch.setenv("ARENA_CANARY", "tweet")
    bot = await place.sandbox.start(place.launch("serve", env={"GIVEN": "a=b c"}), timeout=20)
    env = (await place.ask(bot, "look"))["env"]
    assert env["GIVEN"] == "a=b c"
    assert set(env) - {"HOME", "HOSTNAME", "LC_CTYPE"} == {"GIVEN", "PATH", "ARENABOT_ADDRESS"}


async def test_an_artifact_that_is_missing_is_our_fault(place: Place) -> None:
    """No image, or no folder: SandboxFailed, with nothing charged and nothing left."""
    missing = "claim-arena-no-such-image" if place.contained else "/no/such/folder"
    launch = replace(place.launch("serve"), artifact=missing)
    with pytest.raises(SandboxFailed, match=missing):
        await place.sandbox.start(launch, timeout=20)
    assert place.traces() == []
