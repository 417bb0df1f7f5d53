"""The kernel's counters of one bot: files that stay open, and numbers read from them."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol, TypeAlias

_NS: Final = 1e-9
_US: Final = 1e-6
_ROOM: Final = 1024

Threads: TypeAlias = Mapping[int, tuple[float, float]]
"""By thread, the seconds that it ran and the seconds that it was ready to run and did not."""

Number: TypeAlias = Callable[[bytes], float]
"""Finds a number in a file's text; raises `ValueError` if it isn't there."""


class Counter(Protocol):
    """Seconds that only grow; once the bot has ended, they stay as they were read last."""

    def read(self) -> float:
        """Its value now."""
        ...

    def close(self) -> None:
        """Let go of what it holds; it may still be read."""
        ...


class FileCounter:
    """A number in a file."""

    def __init__(self, file: Path, number: Number) -> None:
        """Raises `OSError` or `ValueError` if it can't be read."""
        self._number = number
        self._file = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        try:
            self._last = number(os.pread(self._file, _ROOM, 0))
        except (OSError, ValueError):
            os.close(self._file)
            raise

    def read(self) -> float:
        """See `Counter.read`. It happens twice at every move, where `suppress` costs as much."""
        try:
            self._last = self._number(os.pread(self._file, _ROOM, 0))
        except OSError:  # it has ended
            return self._last
        return self._last

    def close(self) -> None:
        """See `Counter.close`."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class ProcessCpu:
    """The CPU time of one process with all its threads, by its clock."""

    def __init__(self, pid: int) -> None:
        """The caller sees to it that the id stays this process's until `close`."""
        # The kernel's own way to name the CPU clock of a process, see clock_getcpuclockid(3).
        self._clock: int | None = (~pid << 3) | 2
        self._last = 0.0

    def read(self) -> float:
        """See `Counter.read`."""
        if self._clock is not None:
            try:
                self._last = time.clock_gettime(self._clock)
            except OSError:  # it has ended
                self._clock = None
        return self._last

    def close(self) -> None:
        """See `Counter.close`."""
        self._clock = None


class Zero:
    """What cannot happen to this bot."""

    def read(self) -> float:
        """See `Counter.read`."""
        return 0.0

    def close(self) -> None:
        """See `Counter.close`."""


def nanoseconds(text: bytes) -> float:
    """A file that is one number: `cpuacct.usage`."""
    return int(text) * _NS


def field(name: bytes, unit: float) -> Number:
    """A line that begins with a name: `cpu.stat`."""

    def number(text: bytes) -> float:
        return int(text[text.index(name) + len(name) :].split(None, 1)[0]) * unit

    return number


throttled_v1: Final = field(b"throttled_time", _NS)
throttled_v2: Final = field(b"throttled_usec", _US)
usage_v2: Final = field(b"usage_usec", _US)


def full_pressure(text: bytes) -> float:
    """The time that a container had something to run and ran nothing: `cpu.pressure`."""
    return int(text[text.index(b"total=", text.index(b"full ")) + 6 :]) * _US


_ON_THE_WAY = 4
"""The threads through which a question and its answer pass in a bot of the SDK: two of gRPC's
engine, the one that polls it, and the bot's own."""


class ThreadDelays:
    """What each thread ran and waited. A wait counts only once it has ended."""

    def __init__(self, threads: Callable[[], Sequence[str | bytes]]) -> None:
        """`threads` lists the ids of all threads of the bot; it may raise `OSError`."""
        self._threads = threads
        self._listed: Sequence[str | bytes] = ()
        self._files: dict[int, int] = {}

    def read(self) -> Threads:
        """The counters of all threads now."""
        self._refresh()
        return self.known()

    def known(self) -> Threads:
        """Those of the threads that were there when `read` was called last; costs half as much."""
        found = {}
        for thread, file in self._files.items():
            try:
                ran, waited, _ = os.pread(file, _ROOM, 0).split()
            except (OSError, ValueError):  # it has ended
                continue
            found[thread] = int(ran) * _NS, int(waited) * _NS
        return found

    def close(self) -> None:
        """Let go of all files."""
        self._threads = tuple
        self._refresh()

    def _refresh(self) -> None:
        try:
            listed = self._threads()
        except OSError:  # the bot has ended
            listed = ()
        if listed == self._listed:
            return
        self._listed = listed
        found = set(map(int, listed))
        for thread in self._files.keys() - found:
            os.close(self._files.pop(thread))
        for thread in found - self._files.keys():
            with suppress(OSError):
                self._files[thread] = os.open(
                    f"/proc/{thread}/schedstat", os.O_RDONLY | os.O_CLOEXEC
                )


def state_of(stat: Path) -> str:
    """The state of a thread, as `ps` shows it; empty once it has ended."""
    try:
        # The name in parentheses may hold anything, so count from its end.
        return stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except OSError:
        return ""


def not_its_own(before: Threads, after: Threads, cpu: float) -> float:
    """The seconds that threads waited for others than each other. Pure.

    While a thread waited, the bot's other threads can have kept it from running for no longer than
    they ran: `cpu`, the bot's whole CPU time, less its own. What is left over was somebody else.
    Of these waits the longest count, of as many threads as an honest answer passes through: more of
    them would only let a bot that sleeps have others wait in its place.
    """
    waits = []
    for thread, (ran, delayed) in after.items():
        if thread in before:
            own, delay = ran - before[thread][0], delayed - before[thread][1]
            waits.append(max(0.0, delay - max(0.0, cpu - own)))
    return sum(sorted(waits)[-_ON_THE_WAY:])
