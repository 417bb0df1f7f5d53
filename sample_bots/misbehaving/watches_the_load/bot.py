"""Reads whatever might tell how busy the machine and the other bots are."""

import ctypes
from pathlib import Path

from calm import Calm

from arenabot import serve

PLACES = (
    *("/proc/stat", "/proc/loadavg", "/proc/uptime", "/proc/meminfo", "/proc/vmstat"),
    *("/proc/diskstats", "/proc/interrupts", "/proc/softirqs", "/proc/schedstat"),
    *("/proc/pressure/cpu", "/proc/pressure/memory", "/proc/zoneinfo", "/proc/buddyinfo"),
    *("/proc/locks", "/proc/key-users", "/sys/devices/system/node"),
    *("/proc/slabinfo", "/proc/swaps", "/proc/partitions", "/proc/sched_debug", "/proc/timer_list"),
    *("/sys/fs/cgroup", "/sys/devices/system/cpu/cpu0/cpufreq", "/sys/block", "/sys/class/thermal"),
)


def tells(path: Path) -> bool:
    """Whether there is anything to be read."""
    try:
        return any(path.iterdir()) if path.is_dir() else bool(path.read_bytes().strip())
    except OSError:
        return False


if __name__ == "__main__":
    told = [place for place in PLACES if tells(Path(place))]
    libc = ctypes.CDLL(None)
    room = ctypes.create_string_buffer(256)
    if libc.sysinfo(room) == 0:
        told.append("sysinfo")
    if libc.getloadavg(room, 3) > 0:
        told.append("getloadavg")
    print(f"told by {told}", flush=True)
    serve(Calm)
