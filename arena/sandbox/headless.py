"""Ending a container's first process whose main thread has ended and whose other threads have not.

An engine takes such a container for ended: it neither kills the threads that are left nor waits
for them, and they would live on outside of every limit. A bot gets there by a system call of its
own, or by one for which the filter kills the thread that makes it.
"""

import os
import select
import signal
from contextlib import suppress
from pathlib import Path
from typing import Final

_PATIENCE_MS: Final = 5000


def end_headless(pid: int, container: str) -> None:
    """Kill the process if it is headless and in this container, and wait for its end.

    `pid` is what the engine says, 0 for a container without a process. Does nothing where the
    kernel has no descriptors of processes (before Linux 5.3).
    """
    try:
        process = os.pidfd_open(pid)
    except OSError:
        return
    try:
        # Looked at only now: the descriptor's process keeps its id until it has wholly ended.
        if _is_headless(pid, container) and not _ended(process, 0):
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(process, signal.SIGKILL)
            _ended(process, _PATIENCE_MS)
    finally:
        os.close(process)


def _is_headless(pid: int, container: str) -> bool:
    place = Path(f"/proc/{pid}")
    with suppress(OSError):
        if container in (place / "cgroup").read_text(encoding="utf-8"):
            # The name in parentheses may hold anything, so count from its end.
            stat = (place / "stat").read_text(encoding="utf-8", errors="replace")
            return stat.rpartition(")")[2].split()[0] == "Z"
    return False


def _ended(process: int, milliseconds: int) -> bool:
    poll = select.poll()
    poll.register(process, select.POLLIN)
    return bool(poll.poll(milliseconds))
