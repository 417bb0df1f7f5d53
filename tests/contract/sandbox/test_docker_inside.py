"""What a curious or hostile bot finds from inside its container (SECURITY)."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.sandbox import Ending, Limits, RunningBot
from arena.sandbox.spec import MASKED_PATHS
from tests.contract.sandbox.conftest import CONTAINED

if TYPE_CHECKING:
    from tests.contract.sandbox.conftest import Place

pytestmark = pytest.mark.docker

REFUSED = "Operation not permitted"
X86_CALLS = {
    "unshare": (272, 0x10000000),
    "clone_newuser": (56, 0x10000000 | 17),
    "setns": (308, 0, 0),
    "mount": (165, 0, 0, 0, 0, 0),
    "chroot": (161, 0),
    "ptrace": (101, 0, 0, 0, 0),
    "process_vm_readv": (310, 1, 0, 0, 0, 0, 0),
    "pidfd_getfd": (438, 0, 0, 0),
    "keyctl": (250, 0, 0, 0, 0, 0),
    "add_key": (248, 0, 0, 0, 0, 0),
    "bpf": (321, 0, 0, 0),
    "perf_event_open": (298, 0, 0, 0, 0, 0),
    "userfaultfd": (323, 0),
    "io_uring_setup": (425, 1, 0),
    "mknod": (133, 0, 0, 0),
    "sysinfo": (99, 0),
    "clock_settime": (227, 0, 0),
    "setpriority": (141, 0, 0, 5),
    "sched_setaffinity": (203, 0, 0, 0),
    "shmget": (29, 0, 4096, 0o1600),
    "msgget": (68, 0, 0o1600),
    "personality": (135, 0x0040000),
    "setuid": (105, 0),
    "setresuid": (117, 0, 0, 0),
    "setgroups": (116, 0, 0),
    "setresgid": (119, -1, -1, -1),
    "capset": (126, 0, 0),
    "fadvise64": (221, 0, 0, 0, 4),
}
FAMILIES = {"inet": 2, "inet6": 10, "netlink": 16, "packet": 17, "alg": 38, "vsock": 40, "xdp": 44}


@pytest.fixture(params=CONTAINED)
def kind(request: pytest.FixtureRequest) -> str:
    """These facts are about containers, whoever is the first process in them."""
    return str(request.param)


@pytest.fixture
async def bot(place: Place) -> RunningBot:
    """A bot that does as it is told."""
    return await place.start("serve", limits=Limits(pids=32, tmp_mib=4))


async def its_folder(place: Place, bot: RunningBot) -> str:
    """Where the bot's socket lies, by its path inside."""
    address: str = (await place.ask(bot, "look"))["env"]["ARENABOT_ADDRESS"]
    return str(Path(address.removeprefix("unix:")).parent)


async def test_it_is_nobody_in_particular(place: Place, bot: RunningBot) -> None:
    """Its user id is its own on this machine, without groups, capabilities or ways to gain any."""
    other = await place.start("serve")
    seen, others = await place.ask(bot, "look"), await place.ask(other, "look")
    assert seen["uid"] >= 1_900_000_000
    assert seen["uid"] != others["uid"]
    assert (seen["gid"], seen["groups"]) == (seen["uid"], [seen["uid"]])
    status = seen["status"]
    capabilities = {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
    assert capabilities == {"0" * 16}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")


async def test_it_finds_no_network_and_no_neighbours(place: Place, bot: RunningBot) -> None:
    """There is only a loopback that it can't use, its own processes, and the name `bot`."""
    seen = await place.ask(bot, "look")
    assert seen["interfaces"] == ["lo"]
    assert seen["hostname"] == "bot"
    others = [] if place.kind == "docker" else ["1"]
    assert seen["processes"] == [*others, str(seen["pid"])]
    assert (seen["pid"] == 1) == (place.kind == "docker")
    for family, number in FAMILIES.items():
        for kind in (1, 2, 3):
            answer = await place.ask(bot, "try", "socket", str(number), str(kind))
            assert answer == REFUSED, family


async def test_abstract_sockets_dont_reach_another_bot(place: Place, bot: RunningBot) -> None:
    """Two bots of one author can't meet at a socket without a file."""
    other = await place.start("serve")
    await place.ask(bot, "bind", "meet")
    assert await place.ask(bot, "connect", "meet") == "done"
    assert await place.ask(other, "connect", "meet") == "Connection refused"


async def test_nothing_of_ours_is_to_be_seen(place: Place, bot: RunningBot, tmp_path: Path) -> None:
    """Neither label nor run, neither host name nor paths of the arena are anywhere inside."""
    seen = str(await place.ask(bot, "look"))
    paths = ["environ", "cmdline", "mountinfo", "mountstats", "cgroup", "maps", "status"]
    for path in paths:
        seen += str(await place.ask(bot, "read", f"/proc/self/{path}"))
        seen += str(await place.ask(bot, "read", f"/proc/1/{path}"))
    for canary in ("m1/seat", place.instance.id, str(tmp_path), platform.node() + ".", "arena-"):
        assert canary not in seen, canary
    assert set((await place.ask(bot, "look"))["env"]) <= {
        *("ARENABOT_ADDRESS", "HOME", "HOSTNAME", "LC_CTYPE", "PATH")
    }


async def test_masked_paths_are_empty(place: Place, bot: RunningBot) -> None:
    """What tells about the host or the load of others reads as nothing."""
    for path in MASKED_PATHS:
        assert await place.ask(bot, "read", path) in {None, ""}, path
        assert await place.ask(bot, "list", path) in (None, []), path


async def test_it_shares_no_counter_with_other_bots(place: Place, bot: RunningBot) -> None:
    """It can't open terminals, which the kernel counts for the whole host, nor read any count."""
    assert await place.ask(bot, "try", "terminal") != "done"
    for path in ("/proc/sys/kernel/pty/nr", "/proc/sys/fs/file-nr", "/proc/sys/fs/inode-nr"):
        assert await place.ask(bot, "read", path) is None, path


WRITES = {
    "/bot/bot.py": "Read-only file system",
    "/new": "Read-only file system",
    "/etc/passwd": "Read-only file system",
    "/dev/new": "Permission denied",
    "/proc/sys/kernel/hostname": "Read-only file system",
    "/proc/sys/vm/drop_caches": "Read-only file system",
    "/dev/mqueue/queue": "Too many open files",
    "/tmp/new": "done",
    "/dev/shm/new": "done",
    "/run/new": "Read-only file system",
}


async def test_where_it_can_write(place: Place, bot: RunningBot) -> None:
    """Nothing is writable but /tmp, /dev/shm and the socket's folder."""
    answers = {path: await place.ask(bot, "try", "write", path) for path in WRITES}
    assert answers == WRITES
    folder = await its_folder(place, bot)
    assert await place.ask(bot, "try", "write", f"{folder}/new") == "done"
    if folder != "/run/arena":
        assert await place.ask(bot, "try", "write", "/run/arena/new") == "Permission denied"
        assert await place.ask(bot, "list", "/run/arena") is None


async def test_what_it_can_write_is_bounded(place: Place, bot: RunningBot) -> None:
    """Bytes and inodes run out soon, without harm to the host or to the bot's own socket."""
    folder = await its_folder(place, bot)
    for what, path in (
        *(("many", "/tmp"), ("fill", "/tmp"), ("many", "/dev/shm"), ("fill", "/dev/shm")),
        *(("many", folder), ("fill", folder)),
    ):
        assert await place.ask(bot, "try", what, path) == "No space left on device", (what, path)
        await place.ask(bot, "shell", "rm", "-f", f"{path}/[0-9]*", f"{path}/fill*")
    assert await place.ask(bot, "hello") == "hello"


async def test_tmp_runs_no_programs(place: Place, bot: RunningBot) -> None:
    """A program that a bot writes can't be executed, in none of the three places."""
    for folder in ("/tmp", "/dev/shm", await its_folder(place, bot)):
        script = (
            f"cp /bin/true {folder}/x 2>/dev/null || cp /bin/sh {folder}/x; chmod 700 {folder}/x"
        )
        await place.ask(bot, "shell", *script.split())
        assert await place.ask(bot, "try", "run", f"{folder}/x") == "Permission denied", folder


async def test_processes_and_files_run_out(place: Place, bot: RunningBot) -> None:
    """Fork bombs and open files end at their limits, and the bot lives on."""
    assert await place.ask(bot, "try", "fork") == "Resource temporarily unavailable"
    assert await place.ask(bot, "try", "open") == "Too many open files"
    assert await place.ask(bot, "hello") == "hello"


async def test_resource_limits(place: Place, bot: RunningBot) -> None:
    """The kernel's own table shows our limits, soft and hard."""
    limits = (await place.ask(bot, "look"))["limits"]
    rows = {line[:26].strip(): line[26:].split()[:2] for line in limits.splitlines()[1:]}
    assert rows["Max open files"] == ["256"] * 2
    assert rows["Max core file size"] == ["0"] * 2
    assert rows["Max file size"] == [str(16 << 20)] * 2
    assert rows["Max locked memory"] == [str(64 << 10)] * 2
    assert rows["Max msgqueue size"] == ["0"] * 2
    assert rows["Max realtime priority"] == ["0"] * 2


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers are those of x86-64")
async def test_dangerous_system_calls_are_refused(place: Place, bot: RunningBot) -> None:
    """Namespaces, tracing, keys, BPF, io_uring and the like are refused by our own profile."""
    answers = {
        name: await place.ask(bot, "try", "call", *map(str, numbers))
        for name, numbers in X86_CALLS.items()
    }
    assert answers == dict.fromkeys(X86_CALLS, REFUSED)
    assert await place.ask(bot, "try", "call", "435", "0", "0") == "Function not implemented"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="there is no other mode elsewhere")
async def test_a_32_bit_system_call_ends_the_bot_by_a_limit(place: Place, bot: RunningBot) -> None:
    """The other architecture's numbers, which a filter could mistake, are deadly."""
    await place.ask(bot, "old_call")
    report = await place.until_ended(bot)
    assert (report.ending, report.exit_code) == (Ending.LIMIT, 159)
    assert report.detail == "made a system call that bots may not make and was stopped"


async def test_a_memory_hog_is_out_of_memory(place: Place) -> None:
    """A bot that takes too much memory is killed for it, and told so with numbers."""
    bot = await place.start("serve", limits=Limits(memory_mib=48))
    other = await place.start("serve")
    assert await place.ask(bot, "hog", "1000") is None
    for report in (await place.until_ended(bot), await bot.stop()):
        assert (report.ending, report.exit_code) == (Ending.OUT_OF_MEMORY, 137)
        assert report.peak_memory == 48 << 20
        assert report.detail == "used 48 MiB of 48 MiB and was stopped"
    assert await place.ask(other, "hello") == "hello"


async def test_a_childs_death_by_memory_is_not_the_bots(place: Place) -> None:
    """A child killed for memory leaves the bot running; the engine's flag alone is not death."""
    bot = await place.start("serve", limits=Limits(memory_mib=48))
    assert await place.ask(bot, "child_hog") == "alive"
    assert (await bot.report()).ending is Ending.RUNNING
    await place.ask(bot, "exit", "3")
    report = await place.until_ended(bot)
    assert (report.ending, report.exit_code) == (Ending.EXITED, 3)
    assert report.detail.endswith("; one of its processes had been killed for memory")


async def test_peak_memory_is_what_it_was(place: Place, bot: RunningBot) -> None:
    """The report's peak counts memory that was given back long ago."""
    await place.ask(bot, "hog", "64")
    for report in (await bot.report(), await bot.stop()):
        assert report.peak_memory is not None
        assert 64 << 20 < report.peak_memory < 128 << 20
