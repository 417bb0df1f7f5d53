"""Whether the protections hold that a container is made with: seen from inside of one, and tried.

A program of ours is started as a bot would be (`lookout`). What it sees, what the kernel's files
say of its container, and what came of holding it still are judged one by one.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.sandbox.api import Launch, Limits
from arena.sandbox.cgroups import cgroup_folders
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.errors import SandboxFailed, StartFailed
from arena.sandbox.logs import escaped
from arena.sandbox.spec import INSIDE, MASKED_PATHS

LOOKOUT: Final = Path(__file__).with_name("lookout.py")

_SECONDS: Final = 20.0
_FILES: Final = {
    "memory": ("memory.limit_in_bytes", "memory.max"),
    "pids": ("pids.max", "pids.max"),
    "cpu": ("cpu.cfs_quota_us", "cpu.max"),
}
"""Where the kernel keeps a container's limits, cgroup version 1 and 2, by controller."""


@dataclass(frozen=True, slots=True)
class View:
    """What was seen of a container."""

    inside: Mapping[str, Any]
    """What the program in it saw, see `lookout.look`."""
    limits: Mapping[str, str]
    """The kernel's own limits of it, by controller; what can't be read is not there."""
    can_freeze: bool
    """Whether it could be held still and be let go on."""
    can_measure: bool
    """Whether its CPU time can be read."""
    can_tell_waiting: bool
    """Whether the time that its threads waited for a CPU can be read."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One protection, whether it holds, and the sentence for either case."""

    name: str
    holds: bool
    yes: str
    no: str


async def look_inside(sandbox: DockerSandbox, image: str) -> View:
    """Start a container of this image as a bot's, and look; raises `SandboxFailed`."""
    code = LOOKOUT.read_text(encoding="utf-8")
    command = ("python3", "-I", "-S", "-c", code, *MASKED_PATHS)
    try:
        bot = await sandbox.start(Launch("self-check", image, command), timeout=_SECONDS)
    except StartFailed as failed:
        said = escaped(failed.report.log).strip().rpartition("\n")[2]
        raise SandboxFailed(f"a look from inside {failed.report.detail}; {said}") from None
    try:
        (found,) = sandbox.engine.find(sandbox.instance.labels())
        folders = cgroup_folders(sandbox.engine.state(found.name).pid, found.name)
        seen = json.loads((await bot.report()).log)
        meter = bot.meter
        frozen = False
        if meter is not None and meter.can_freeze:
            meter.freeze()
            frozen = meter.held()
            meter.thaw()
            frozen = frozen and not meter.held()
        return View(
            inside=seen,
            limits=_limits(folders),
            can_freeze=frozen,
            can_measure=meter is not None and meter.cpu() > 0,
            can_tell_waiting=meter is not None and bool(meter.mark().threads),
        )
    finally:
        await bot.stop()


def _limits(folders: Mapping[str, Path]) -> dict[str, str]:
    found = {}
    for controller, (version_1, version_2) in _FILES.items():
        for folder, name in ((folders.get(controller), version_1), (folders.get(""), version_2)):
            if folder is not None and (folder / name).is_file():
                found[controller] = (folder / name).read_text(encoding="ascii").strip()
                break
    return found


def facts(view: View, *, root: bool) -> list[Fact]:
    """Judge what was seen. Pure."""
    return [judge(view, root) for judge in _JUDGES]


def _calls(view: View, _: bool) -> Fact:
    allowed = ", ".join(view.inside["allowed"])
    return Fact(
        "system calls",
        view.inside["seccomp"] == "2" and not allowed,
        "filtered by our own list, as seen from inside; sockets to anywhere, namespaces and device "
        "nodes were tried and refused",
        f"our filter is not in force: bots may use {allowed or 'any call'}",
    )


def _privileges(view: View, _: bool) -> Fact:
    none = set(view.inside["capabilities"]) == {"0" * 16}
    return Fact(
        "privileges",
        none and view.inside["no_new_privileges"] == "1",
        "a bot has no capability and can't gain any",
        f"a bot has capabilities or can gain some: {view.inside['capabilities']}",
    )


def _user(view: View, _: bool) -> Fact:
    uid = view.inside["uid"]
    return Fact(
        "user id",
        uid != 0 and set(view.inside["groups"]) <= {uid},
        f"a bot runs as user {uid}, in no group of anybody's",
        "a bot runs as root inside its container, or in a group of somebody's",
    )


def _network(view: View, _: bool) -> Fact:
    others = [name for name in view.inside["interfaces"] if name != "lo"]
    return Fact(
        "network",
        not others and "internet sockets" not in view.inside["allowed"],
        "a bot has no network, and no way to open a socket to one",
        f"a bot has a network: {', '.join(others) or 'it can open sockets'}",
    )


def _files(view: View, root: bool) -> Fact:
    mounts = view.inside["mounts"]
    wrong = [] if "ro" in mounts["/"] else ["the root file system can be written to"]
    for place in ("/tmp", "/dev/shm", *([INSIDE] if root else [])):  # noqa: S108 - paths inside
        kind, *options = mounts.get(place, ["none"])
        bounded = {"nosuid", "nodev", "noexec"} <= set(options) and any(
            option.startswith("nr_inodes=") for option in options
        )
        if kind != "tmpfs" or not bounded:
            wrong.append(f"{place} is not bounded")
    return Fact(
        "file system",
        not wrong,
        "read-only, but for small folders in memory where no programs run",
        "; ".join(wrong),
    )


def _masks(view: View, _: bool) -> Fact:
    open_ = ", ".join(view.inside["unmasked"])
    return Fact(
        "masked paths",
        not open_,
        f"{len(MASKED_PATHS)} files and folders that tell about the host read as nothing",
        f"a bot can read {open_}",
    )


def _process_limits(view: View, _: bool) -> Fact:
    limits = Limits()
    wanted = {
        "NOFILE": limits.open_files,
        "FSIZE": limits.file_mib << 20,
        "CORE": 0,
        "MEMLOCK": 64 << 10,
        "MSGQUEUE": 0,
    }
    wrong = [name for name, value in wanted.items() if view.inside["limits"][name] != [value] * 2]
    return Fact(
        "process limits",
        not wrong,
        f"{limits.open_files} open files, files of {limits.file_mib} MiB, no core dumps",
        f"not in force: {', '.join(wrong)}",
    )


def _names(view: View, _: bool) -> Fact:
    return Fact(
        "opaque names",
        view.inside["host"] == "bot" and view.inside["processes"] == ["1"],
        "a bot sees no process but its own, and its host is called bot",
        f"a bot sees {len(view.inside['processes'])} processes on {view.inside['host']}",
    )


def _container_limits(view: View, _: bool) -> Fact:
    limits = Limits()
    period = 100_000
    quota = str(round(limits.cpus * period))
    wanted = {
        "memory": {str(limits.memory_mib << 20)},
        "pids": {str(limits.pids)},
        "cpu": {quota, f"{quota} {period}"},
    }
    wrong = [name for name, values in wanted.items() if view.limits.get(name) not in values]
    return Fact(
        "container limits",
        not wrong,
        f"the kernel holds a bot to {limits.memory_mib} MiB, {limits.pids} processes and threads, "
        f"{limits.cpus:g} CPU",
        f"not what was asked for, or not readable from here: {', '.join(wrong)}",
    )


def _freezer(view: View, _: bool) -> Fact:
    return Fact(
        "freezer",
        view.can_freeze,
        "a bot that thinks on others' time can be held still; it was tried",
        "bots can't be held still while others think: run the arena as root",
    )


def _clock(view: View, _: bool) -> Fact:
    return Fact(
        "fair clock",
        view.can_measure and view.can_tell_waiting,
        "a bot's CPU time, and the time that it waits for a busy host's CPU, can be read",
        "a bot's waiting for a busy host's CPU can't be told from its own time",
    )


_JUDGES: Final[tuple[Callable[[View, bool], Fact], ...]] = (
    *(_calls, _privileges, _user, _network, _files, _masks, _process_limits, _names),
    *(_container_limits, _freezer, _clock),
)
