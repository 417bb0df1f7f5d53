"""Prints all that the kernel tells about itself, its processes, mounts, limits and sockets."""

import contextlib
import os
from pathlib import Path

from calm import Calm

from arenabot import serve

ABOUT_PROCESSES = (
    *("cmdline", "environ", "mountinfo", "mountstats", "cgroup", "maps", "status", "stat"),
    *("limits", "io", "sched", "schedstat", "auxv", "cpuset", "loginuid", "sessionid", "stack"),
)
ABOUT_ALL = (
    *("keys", "key-users", "locks", "mounts", "net/unix", "net/dev", "net/route", "net/tcp"),
    *("partitions", "swaps", "modules", "version", "cmdline", "sys/kernel/hostname", "kallsyms"),
)


def show(path: Path) -> None:
    """Print what a file holds, if it can be read."""
    try:
        print(path, path.read_bytes()[:4096])
    except OSError as error:
        print(path, error.strerror)


if __name__ == "__main__":
    for process in sorted(Path("/proc").glob("[0-9]*")):
        for name in ABOUT_PROCESSES:
            show(process / name)
        with contextlib.suppress(OSError):
            print([os.readlink(entry) for entry in (process / "fd").iterdir()])
    for name in ABOUT_ALL:
        show(Path("/proc") / name)
    print("that is all", flush=True)
    serve(Calm)
