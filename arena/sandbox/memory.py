"""How much memory a bot has used at most, read from the kernel while the bot lives."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from arena.sandbox.cgroups import CGROUPS, cgroup_folders

_V1_FILES: Final = "memory.oom_control", "memory.usage_in_bytes"
_V2_FILES: Final = "memory.events", "memory.current"
"""Where the kernel counts kills, and what is in use now."""


def cgroup_peak_file(pid: int, container: str, *, cgroups: Path = CGROUPS) -> Path | None:
    """Where the kernel counts the peak of this container, in which `pid` is; None if unreadable.

    Covers cgroup v1 and hybrid (`memory.max_usage_in_bytes`) and v2 (`memory.peak`, Linux 5.19;
    not tested here).
    """
    folders = cgroup_folders(pid, container, cgroups=cgroups)
    if "memory" in folders:
        return folders["memory"] / "memory.max_usage_in_bytes"
    if "" in folders and (cgroups / "cgroup.controllers").exists():
        return folders[""] / "memory.peak"
    return None


def read_peak(file: Path | None) -> int | None:
    """The peak in bytes; None if there is none to read, as after the bot's end."""
    if file is None:
        return None
    try:
        return int(file.read_bytes())
    except (OSError, ValueError):
        return None


class MemoryUse:
    """The memory of a container that plays one match after another, counted for each of them."""

    def __init__(self, peak: int, kills: Path, usage: Path) -> None:
        """Use `find`."""
        self._peak = peak
        self._peak_is_its_own = True
        self._kills = kills
        self._kills_before = 0
        self._usage = usage
        self._begun = False
        self._at_first = self._used()

    @classmethod
    def find(cls, pid: int, container: str) -> Self | None:
        """The counters of the container in which `pid` is; None if they can't be read."""
        file = cgroup_peak_file(pid, container)
        if file is None:
            return None
        peak = None
        # A peak of cgroup v2 is set back for the descriptor that wrote to it, and only since
        # Linux 6.12: before that, later matches have none.
        for mode in (os.O_RDWR, os.O_RDONLY):
            with suppress(OSError):
                peak = os.open(file, mode | os.O_CLOEXEC)
                break
        if peak is None:
            return None
        v2 = file.name == "memory.peak"
        kills, usage = _V2_FILES if v2 else _V1_FILES
        return cls(peak, file.with_name(kills), file.with_name(usage))

    def begin(self) -> None:
        """Count from now on."""
        try:
            os.pwrite(self._peak, b"0", 0)
        except OSError:  # so it is, too, if the container is gone: whoever asks it will hear of it
            self._peak_is_its_own = not self._begun
        self._begun = True
        self._kills_before = self._count()

    def peak(self) -> int | None:
        """The most that was used at once, in bytes; None if nobody can tell, as after its end."""
        if not self._peak_is_its_own:
            return None
        try:
            return int(os.pread(self._peak, 32, 0))
        except (OSError, ValueError):
            return None

    def kills(self) -> int:
        """How many processes were killed for memory; 0 also if the container is gone."""
        return max(0, self._count() - self._kills_before)

    def left(self) -> int:
        """How many bytes more are in use than when `find` looked: what matches have left there."""
        return self._used() - self._at_first

    def close(self) -> None:
        """Let go of the counters."""
        os.close(self._peak)

    def _used(self) -> int:
        try:
            return int(self._usage.read_bytes())
        except OSError:
            return 0

    def _count(self) -> int:
        try:
            lines = self._kills.read_text(encoding="ascii").splitlines()
        except OSError:
            return 0
        counts = dict(line.split() for line in lines)
        return int(counts.get("oom_kill", 0))


def process_peak(pid: int) -> int | None:
    """The largest resident size of one process in bytes; None once it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    return None
