"""What a running bot uses of the machine: CPU time, and time that it waited for a CPU.

Read straight from the kernel through files kept open, since it happens at every move.

A bot *waits* while it has something to run and others have the CPUs. That is known in two ways, and
the longer counts. From its threads' schedstat: the waits that have ended, less what the bot's other
threads ran meanwhile. From its container's "full" CPU pressure: the time in which some thread was
ready to run and none ran, up to this very moment, but averaged over the CPUs, so that waits on one
after the other count half. In both, threads that wait for each other don't count, and what a
container's own CPU quota kept it waiting is taken off.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from arena.sandbox.cgroups import CGROUPS, cgroup_folders
from arena.sandbox.counters import (
    Counter,
    FileCounter,
    Number,
    ProcessCpu,
    ThreadDelays,
    Threads,
    Zero,
    full_pressure,
    nanoseconds,
    not_its_own,
    state_of,
    throttled_v1,
    throttled_v2,
    usage_v2,
)
from arena.sandbox.freezer import Freezer


class Mark(NamedTuple):
    """What a bot's counters showed at one moment."""

    cpu: float
    throttled: float
    pressure: float
    threads: Threads


class OwnMark(NamedTuple):
    """What this process's counters showed at one moment."""

    cpu: float
    threads: Threads


class OwnUse(NamedTuple):
    """What this process used since a mark, in seconds."""

    cpu: float
    """CPU time of all its threads together."""
    waited: float
    """What its first thread, where the event loop runs, waited for a CPU."""
    helpers_waited: float
    """What its other threads waited, together."""


class OwnMeter:
    """The counters of this very process, whose first thread runs the event loop."""

    def __init__(self) -> None:
        """Watch from now on."""
        self._pid = os.getpid()
        self._cpu = ProcessCpu(self._pid)
        self._threads = ThreadDelays(partial(os.listdir, f"/proc/{self._pid}/task"))

    def mark(self) -> OwnMark:
        """Begin to measure."""
        return OwnMark(self._cpu.read(), self._threads.read())

    def since(self, mark: OwnMark) -> OwnUse:
        """What was used since then."""
        waited = {
            thread: delay - mark.threads.get(thread, (0.0, 0.0))[1]
            for thread, (_, delay) in self._threads.known().items()
        }
        first = waited.pop(self._pid, 0.0)
        return OwnUse(self._cpu.read() - mark.cpu, first, sum(waited.values()))

    def behind(self) -> bool:
        """Whether another thread than the first has something to do at this moment."""
        tasks = Path(f"/proc/{self._pid}/task")
        return any(
            state_of(thread / "stat") == "R"
            for thread in tasks.iterdir()
            if thread.name != str(self._pid)
        )


_LONGEST_WAIT = 0.25
"""Seconds that a thread waits for a CPU at once, at most, on a machine with ten times its work."""


class Meter:
    """The counters of one running bot; a bot that has ended uses nothing more."""

    def __init__(
        self,
        cpu: Counter,
        threads: ThreadDelays,
        *,
        pressure: Counter | None = None,
        throttled: Counter | None = None,
        freezer: Freezer | None = None,
    ) -> None:
        """Use `container_meter` or `process_meter`."""
        self._cpu = cpu
        self._threads = threads
        self._pressure = pressure or Zero()
        self._throttled = throttled or Zero()
        self._freezer = freezer

    def cpu(self) -> float:
        """Seconds of CPU time that the bot has used so far, all its processes together."""
        return self._cpu.read()

    def mark(self) -> Mark:
        """Begin to measure waiting; takes some 30 us, 20 times as long as `cpu`."""
        return Mark(
            self._cpu.read(), self._throttled.read(), self._pressure.read(), self._threads.read()
        )

    def waited(self, mark: Mark) -> float:
        """Seconds since the mark that the bot waited for a CPU and did not cause itself."""
        cpu, throttled = self._cpu.read() - mark.cpu, self._throttled.read() - mark.throttled
        pressure = self._pressure.read() - mark.pressure
        threads = not_its_own(mark.threads, self._threads.known(), cpu)
        # Pressure knows of a wait that goes on, too; but a crowd of threads that mostly sleep can
        # keep it up, so it is believed for no longer than one such wait may last.
        return max(0.0, max(threads, min(pressure, threads + _LONGEST_WAIT)) - throttled)

    def stopwatch(self) -> Callable[[float], float]:
        """Start one: it turns wall time since now into the bot's own, that which it did not wait.

        Never less than the CPU time that it used.
        """
        mark = self.mark()

        def own(wall: float) -> float:
            return max(min(wall, self.cpu() - mark.cpu), wall - self.waited(mark))

        return own

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
        for part in (self._cpu, self._threads, self._pressure, self._throttled):
            part.close()


def process_meter(pid: int) -> Meter:
    """The meter of one process and its threads; its children are not in it."""
    return Meter(ProcessCpu(pid), ThreadDelays(partial(os.listdir, f"/proc/{pid}/task")))


def container_meter(pid: int, container: str, *, cgroups: Path = CGROUPS) -> Meter | None:
    """The meter of a container in which `pid` is; None if its CPU time can't be read."""
    folders = cgroup_folders(pid, container, cgroups=cgroups)
    cpu = _first_counter(
        folders, ("cpuacct", "cpuacct.usage", nanoseconds), ("", "cpu.stat", usage_v2)
    )
    if cpu is None:
        return None
    return Meter(
        cpu,
        ThreadDelays(partial(_threads, folders)),
        pressure=_first_counter(folders, ("", "cpu.pressure", full_pressure)),
        throttled=_first_counter(
            folders, ("cpu", "cpu.stat", throttled_v1), ("", "cpu.stat", throttled_v2)
        ),
        freezer=Freezer.find(folders),
    )


def _first_counter(folders: Mapping[str, Path], *kinds: tuple[str, str, Number]) -> Counter | None:
    """The first of these files that is there: controller, name, and how to read it."""
    for controller, name, number in kinds:
        if controller in folders:
            with suppress(OSError, ValueError):
                return FileCounter(folders[controller] / name, number)
    return None


def _threads(folders: Mapping[str, Path]) -> list[bytes]:
    """The ids of all threads in a container."""
    for controller, name in (("cpuacct", "tasks"), ("", "cgroup.threads")):
        if controller in folders:
            # Not through a file that is kept open: that one may tell what was there a second ago.
            with (folders[controller] / name).open("rb", buffering=0) as file:
                return file.read().split()
    return []
