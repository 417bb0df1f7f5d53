"""Goes for its container's first process, which is ours: memory, files, limits, signals, orders."""

import ctypes
import os
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve

FIRST = Path("/proc/1")
ORDERS = "/run/arena/control.sock"
SECRETS = ("auxv", "environ", "maps", "mem", "pagemap", "stack", "syscall")
FOLDERS = ("cwd", "fd", "fdinfo", "map_files", "root", "task/1/fd")
LEVERS = ("clear_refs", "comm", "coredump_filter", "mem", "oom_score_adj", "timerslack_ns")
_libc = ctypes.CDLL(None, use_errno=True)


def works(attempt: Callable[[], object]) -> bool:
    """Whether it is not refused."""
    try:
        attempt()
    except OSError:
        return False
    return True


def trace(request: int) -> None:
    """Call ptrace on the first process."""
    if _libc.ptrace(request, 1, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "")


def order() -> None:
    """Connect where it takes its orders."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as caller:
        caller.connect(ORDERS)


def imitate() -> None:
    """Listen where it takes its orders."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(ORDERS)


def signal_by_descriptor() -> None:
    """Send a signal where a process id is not looked at."""
    process = os.pidfd_open(1)
    try:
        signal.pidfd_send_signal(process, signal.SIGTERM)
    finally:
        os.close(process)


def attempts() -> Iterator[tuple[str, Callable[[], object]]]:
    """What can be done to a process of one's own."""
    for number in sorted(signal.valid_signals()):
        yield f"signal {number}", lambda number=number: os.kill(1, number)  # type: ignore[misc]
    for name in SECRETS:
        yield f"read {name}", (FIRST / name).read_bytes
    for name in FOLDERS:
        yield f"list {name}", lambda name=name: os.listdir(FIRST / name)  # type: ignore[misc]
    for name in LEVERS:
        yield f"write {name}", lambda name=name: (FIRST / name).write_bytes(b"1")  # type: ignore[misc]
    yield "signal by descriptor", signal_by_descriptor
    yield "limit", lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (3, 3))
    yield "attach", lambda: trace(16)
    yield "seize", lambda: trace(0x4206)
    yield "niceness", lambda: os.setpriority(os.PRIO_PROCESS, 1, 19)
    yield "affinity", lambda: os.sched_setaffinity(1, {0})
    yield "group", lambda: os.setpgid(1, 0)
    yield "folder", lambda: os.listdir("/run/arena")
    yield "order", order
    yield "imitate", imitate
    yield "unlink", lambda: os.unlink(ORDERS)


class AttacksTheFirstProcess(CalmAtFirst):
    def misbehave(self) -> None:
        tried = list(attempts()) if os.getpid() != 1 else []
        reached = [name for name, attempt in tried if works(attempt)]
        print(f"tried more than 80: {len(tried) > 80}, reached {reached}", flush=True)


if __name__ == "__main__":
    serve(AttacksTheFirstProcess)
