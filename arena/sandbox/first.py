"""The first process of a container, held so that all of it ends with its container.

Once the main thread of that process has ended, by its own system call or by the filter's hand, an
engine takes the container for ended: it neither kills the threads that are left nor waits for
them, and they would live on outside of every limit.
"""

import os
import select
import signal
from contextlib import suppress
from pathlib import Path
from typing import Self

_PATIENCE_MS = 5000


class FirstProcess:
    """A process that is known by a descriptor, since its id may be given to another one."""

    def __init__(self, pid: int, descriptor: int) -> None:
        """Use `hold`."""
        self._pid = pid
        self._descriptor = descriptor

    @classmethod
    def hold(cls, pid: int, container: str) -> Self | None:
        """Hold the process, which must be in this container; None if it isn't any more.

        None too where the kernel has no such descriptors (before Linux 5.3).
        """
        try:
            descriptor = os.pidfd_open(pid)
        except OSError:
            return None
        # Asked only now: from here on the id can't be given to another process unnoticed.
        with suppress(OSError):
            if container in Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8"):
                return cls(pid, descriptor)
        os.close(descriptor)
        return None

    def end_headless(self) -> None:
        """Kill it if its main thread has ended and others have not, and wait for their end."""
        if not self._ended(0) and _main_thread_ended(self._pid):
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)
            self._ended(_PATIENCE_MS)

    def release(self) -> None:
        """Let go of it."""
        os.close(self._descriptor)

    def _ended(self, milliseconds: int) -> bool:
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        return bool(poll.poll(milliseconds))


def _main_thread_ended(pid: int) -> bool:
    with suppress(OSError):
        # The name in parentheses may hold anything, so count from its end.
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return stat.rpartition(")")[2].split()[0] == "Z"
    return False
