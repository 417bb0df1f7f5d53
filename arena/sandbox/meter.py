"""What a running bot uses of the machine: CPU time, and time that it waited for a CPU.

Read straight from the kernel through files kept open, since it happens at every move.

A bot *waits* while it has something to run and others have the CPUs. Of a container the kernel
knows that as its "full" CPU pressure: the time in which some thread of it was ready to run and none
of it ran, up to this very moment. Threads that wait for each other are not in it. Where there is no
such file (a process without a container, a kernel that keeps no pressure) the waiting is summed up
from the threads' schedstat. What a container's own CPU quota kept it waiting is no such time.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.sandbox.cgroups import CGROUPS, cgroup_folders
from arena.sandbox.counters import (
    Counter,
    FileCounter,
    Number,
    Pressure,
    ProcessCpu,
    ThreadDelays,
    Zero,
    nanoseconds,
    throttled_v1,
    throttled_v2,
    usage_v2,
)
from arena.sandbox.freezer import Freezer

_THREADS: Final = {"cpuacct": "tasks", "": "cgroup.threads"}
"""By controller, the file that lists a container's threads."""


class Mark(NamedTuple):
    """What a bot's counters showed at one moment; only its own meter can read it."""

    cpu: float
    throttled: float
    waited: Any


class Used(NamedTuple):
    """What a bot used since a mark, in seconds."""

    cpu: float
    """CPU time of all its threads together."""
    waited: float
    """Time that it waited for a CPU and did not cause itself."""


class Meter:
    """The counters of one running bot; a bot that has ended uses nothing more."""

    def __init__(
        self,
        cpu: Counter,
        waiting: Pressure | ThreadDelays,
        throttled: Counter | None = None,
        freezer: Freezer | None = None,
    ) -> None:
        """Use `container_meter` or `process_meter`."""
        self._cpu = cpu
        self._waiting = waiting
        self._throttled = throttled or Zero()
        self._freezer = freezer

    def cpu(self) -> float:
        """Seconds of CPU time that the bot has used so far, all its processes together."""
        return self._cpu.read()

    def mark(self) -> Mark:
        """Begin to measure."""
        return Mark(self._cpu.read(), self._throttled.read(), self._waiting.mark())

    def since(self, mark: Mark) -> Used:
        """What the bot used since then."""
        cpu = self.cpu_since(mark)
        waited = self._waiting.since(mark.waited, cpu)
        throttled = self._throttled.read() - mark.throttled
        return Used(cpu, max(0.0, waited - throttled))

    def cpu_since(self, mark: Mark) -> float:
        """The CPU time alone: a third of the price."""
        return max(0.0, self._cpu.read() - mark.cpu)

    @property
    def can_freeze(self) -> bool:
        """Whether the bot can be held still: in a container, by root."""
        return self._freezer is not None

    def freeze(self) -> None:
        """Hold the bot still, if that can be done. Thaw it before asking it or killing it."""
        if self._freezer is not None:
            self._freezer.freeze()

    def thaw(self) -> None:
        """Let it go on."""
        if self._freezer is not None:
            self._freezer.thaw()

    def held(self) -> bool:
        """Whether somebody holds the bot still, such as an operator who paused its container."""
        return self._freezer is not None and self._freezer.held()

    def close(self) -> None:
        """Thaw the bot and let go of all files."""
        if self._freezer is not None:
            self._freezer.close()
        for part in (self._cpu, self._waiting, self._throttled):
            part.close()


def process_meter(pid: int) -> Meter:
    """The meter of one process and its threads; its children are not in it."""
    tasks = Path(f"/proc/{pid}/task")
    return Meter(ProcessCpu(pid), ThreadDelays(lambda: [entry.name for entry in tasks.iterdir()]))


def container_meter(pid: int, container: str, *, cgroups: Path = CGROUPS) -> Meter | None:
    """The meter of a container in which `pid` is; None if its CPU time can't be read."""
    folders = cgroup_folders(pid, container, cgroups=cgroups)
    cpu = _first_counter(
        folders, ("cpuacct", "cpuacct.usage", nanoseconds), ("", "cpu.stat", usage_v2)
    )
    if cpu is None:
        return None
    throttled = _first_counter(
        folders, ("cpu", "cpu.stat", throttled_v1), ("", "cpu.stat", throttled_v2)
    )
    return Meter(cpu, _waiting(folders), throttled, Freezer.find(folders))


def _first_counter(folders: Mapping[str, Path], *kinds: tuple[str, str, Number]) -> Counter | None:
    """The first of these files that is there: controller, name, and how to read it."""
    for controller, name, number in kinds:
        if controller in folders:
            with suppress(OSError, ValueError):
                return FileCounter(folders[controller] / name, number)
    return None


def _waiting(folders: Mapping[str, Path]) -> Pressure | ThreadDelays:
    with suppress(KeyError, OSError, ValueError):
        return Pressure(folders[""] / "cpu.pressure")
    lists = [folders[name] / file for name, file in _THREADS.items() if name in folders]
    return ThreadDelays(lambda: lists[0].read_text(encoding="ascii").split())
