"""What protects an arena and its bots from each other on this machine, in words for an operator."""

import asyncio
import enum
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.sandbox.api import Sandbox
from arena.sandbox.cgroups import CGROUPS
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.engine import RUNTIME_VARIABLE
from arena.sandbox.errors import SandboxFailed
from arena.sandbox.folders import mount_tmpfs, unmount
from arena.sandbox.inside import facts, look_inside
from arena.sandbox.process import ProcessSandbox
from arena.sandbox.runtime import check_runtime
from arena.sandbox.timekeeping import shows_waits_that_go_on
from arena.sandbox.zygote import forks_here

_ARCHITECTURES: Final = {"x86_64", "aarch64"}
"""Those that our system call profile names."""
_GVISOR: Final = "runsc"


class State(enum.Enum):
    """Whether a protection is there."""

    PRESENT = "present"
    """It holds."""
    MISSING = "missing"
    """It doesn't hold here, and the sentence says what that means."""
    NOT_TESTABLE = "not testable"
    """It can't be known from here."""


@dataclass(frozen=True, slots=True)
class Protection:
    """One thing that protects, or doesn't."""

    name: str
    state: State
    sentence: str


def protections(sandbox: Sandbox, image: str | None = None) -> list[Protection]:
    """Look at this machine; blocks for as long as its container engine takes to answer.

    With an image that has Python, a container is started from it as a bot's and looked at from
    inside; not to be called in an event loop then.
    """
    if isinstance(sandbox, DockerSandbox):
        return _docker(sandbox, image)
    if isinstance(sandbox, ProcessSandbox):
        return _process()
    return []


def _process() -> list[Protection]:
    return [
        _found("limits", True, "memory, file size and open files are limited for each process", ""),
        _found("clean end", True, "bots die with their arena, with all their children", ""),
        _found(
            "isolation",
            False,
            "",
            "bots have your files, your network and your user id: only for code that you trust",
        ),
    ]


def _docker(sandbox: DockerSandbox, image: str | None) -> list[Protection]:
    engine = sandbox.engine
    try:
        info = engine.info()
        engine.life()
    except SandboxFailed as error:
        return [Protection("engine", State.MISSING, error.detail)]
    version = f"{info.get('ServerVersion', '?')} answers at {engine.host}"
    return [
        _found("engine", True, f"container engine {version}", ""),
        *_privileges(sandbox),
        *_kernel(info),
        *_cgroups(info),
        _found(
            "CPU pressure",
            shows_waits_that_go_on(),
            "a bot's wait for a busy host's CPU shows before it has ended",
            "a bot's wait for a busy host's CPU shows once it has ended: boot with psi=1 and "
            "cgroup version 2 for more",
        ),
        _runtime(sandbox, info, image),
        *_from_inside(sandbox, image),
    ]


def _runtime(sandbox: DockerSandbox, info: Mapping[str, Any], image: str | None) -> Protection:
    """A runtime with a kernel of its own, if one was asked for."""
    name, runtime = "gVisor", sandbox.engine.runtime
    if runtime is None:
        there = _GVISOR in (info.get("Runtimes") or ())
        said = (
            f"the engine {'has' if there else 'lacks'} {_GVISOR}, a kernel between bots and this "
            f"one, and it wasn't asked for; {RUNTIME_VARIABLE}={_GVISOR} does that"
        )
        return Protection(name, State.MISSING, said)
    if image is None:
        said = f"{runtime} was asked for, and is tried as soon as there is a base image"
        return Protection(name, State.NOT_TESTABLE, said)
    try:
        check_runtime(sandbox.engine, sandbox.instance, image)
    except SandboxFailed as failed:
        return Protection(name, State.MISSING, failed.detail)
    return Protection(name, State.PRESENT, f"the runtime {runtime} that was asked for runs bots")


def _from_inside(sandbox: DockerSandbox, image: str | None) -> list[Protection]:
    """What a bot's container is made with, as it is seen from inside of one."""
    if image is None:
        said = "what holds inside a container is tried once there is a base image"
        return [Protection("from inside", State.NOT_TESTABLE, said)]
    try:
        view = asyncio.run(look_inside(sandbox, image))
    except SandboxFailed as failed:
        return [Protection("from inside", State.NOT_TESTABLE, failed.detail)]
    found = facts(view, root=os.geteuid() == 0)
    return [_found(fact.name, fact.holds, fact.yes, fact.no) for fact in found]


def _privileges(sandbox: DockerSandbox) -> list[Protection]:
    root = os.geteuid() == 0
    mounted = root and _can_mount()
    return [
        _found("root", root, "the arena runs as root", "the arena doesn't run as root"),
        _found(
            "socket folder",
            mounted,
            "each bot's socket lies on a tmpfs of its own of 64 KiB and 16 files"
            if sandbox.slots is None
            else f"each bot's socket lies in one of {sandbox.slots.count} small volumes, alone",
            "a bot's socket lies in a plain folder, which it can fill: run the arena as root",
        ),
        _found(
            "own user id",
            root,
            f"each running bot has a user id of its own, see {sandbox.uids}",
            "all bots run under your user id, so they share its quotas: run the arena as root",
        ),
        _found(
            "fresh processes",
            forks_here() and mounted and sandbox.engine.runtime is None,
            "each match of a Python bot has a process of its own, forked by a program of ours that "
            "the bot can't reach; its container is swept and checked between matches",
            "each match gets a new container, which takes many times as long to start: "
            "run the arena as root, on Linux 5.3 or later, with the engine's own runtime",
        ),
        _found(
            "logs by turn",
            forks_here(),
            "what a bot prints is marked with the round and turn in which it did",
            "a bot's log doesn't say in which turn it was printed",
        ),
    ]


def _kernel(info: Mapping[str, Any]) -> list[Protection]:
    options = [str(option) for option in info.get("SecurityOptions") or ()]
    machine = str(info.get("Architecture", "?"))

    def has(name: str) -> bool:
        return any(f"name={name}" in option for option in options)

    rootless = has("rootless") or has("userns")
    return [
        _found(
            "seccomp",
            has("seccomp") and machine in _ARCHITECTURES,
            f"the engine filters system calls by our own list ({machine})",
            f"the engine can't filter system calls on {machine}: bots can't be started here",
        ),
        _found(
            "AppArmor",
            has("apparmor"),
            "the engine's AppArmor profile is a second fence",
            "no AppArmor, a second fence where the kernel has it",
        ),
        Protection(
            "user namespaces",
            State.NOT_TESTABLE if rootless else State.PRESENT,
            "the engine maps user ids: bots are started without the mapping, if it lets us"
            if rootless
            else "user ids mean the same inside and outside, as the socket's check needs",
        ),
    ]


def _cgroups(info: Mapping[str, Any]) -> list[Protection]:
    version = str(info.get("CgroupVersion") or "1")
    file = "memory.peak" if version == "2" else "memory.max_usage_in_bytes"
    places = [CGROUPS / "memory", CGROUPS / "system.slice", CGROUPS / "user.slice"]
    readable = any((place / file).exists() for place in places)

    def limit(key: str) -> bool:
        return bool(info.get(key))

    return [
        Protection(
            "cgroups",
            State.PRESENT if version == "1" else State.NOT_TESTABLE,
            "version 1: limits, counters and freezer are read and written where they were tested"
            if version == "1"
            else "version 2: written for, and never tested by us; see the lines from inside",
        ),
        _found("memory limit", limit("MemoryLimit"), "memory is limited", "memory isn't limited"),
        _found(
            "swap limit",
            limit("SwapLimit"),
            "swap counts into the memory limit",
            "the kernel doesn't count swap: a bot can push the host into its swap; "
            "boot with swapaccount=1, or without swap",
        ),
        _found(
            "process limit",
            limit("PidsLimit"),
            "processes and threads are limited",
            "processes aren't limited: a fork bomb would hurt the host",
        ),
        _found(
            "CPU limit",
            limit("CpuCfsQuota"),
            "CPU time is limited",
            "CPU time isn't limited: a bot can slow its opponents down",
        ),
        Protection(
            "peak memory",
            State.PRESENT if readable else State.NOT_TESTABLE,
            f"read from cgroup version {version}"
            if readable
            else f"no {file} (cgroup version {version}) is readable from here: reports may lack it",
        ),
    ]


def _found(name: str, there: bool, yes: str, no: str) -> Protection:
    return Protection(name, State.PRESENT if there else State.MISSING, yes if there else no)


def _can_mount() -> bool:
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        try:
            mount_tmpfs(Path(folder), os.getuid())
        except OSError:
            return False
        unmount(Path(folder))
    return True
