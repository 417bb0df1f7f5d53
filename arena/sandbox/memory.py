"""How much memory a bot has used at most, read from the kernel while the bot lives."""

from pathlib import Path

from arena.sandbox.cgroups import CGROUPS, cgroup_folders


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
