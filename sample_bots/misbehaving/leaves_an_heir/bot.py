"""Leaves a process that changes its id all the time, ignores signals, and waits for the next match.

The next match of this bot looks for it: by its socket, its lock, its files and its id.
"""

import contextlib
import fcntl
import os
import signal
import socket
import time
from pathlib import Path

import caged  # noqa: F401
from calm import Calm

from arenabot import MatchInfo, serve

NAME = "\0heir"
NOTES = [Path("/tmp/heir"), Path("/dev/shm/heir")]


def heirs() -> list[str]:
    """What is left of the match before."""
    found = [str(note) for note in NOTES if note.exists()]
    with socket.socket(socket.AF_UNIX) as knock:
        if knock.connect_ex(NAME) == 0:
            found.append("socket")
    with Path(__file__).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            found.append("lock")
    strangers = {int(name) for name in os.listdir("/proc") if name.isdigit()} - {1, os.getpid()}
    return [*found, *(f"process {number}" for number in strangers)]


def outlive() -> None:
    """Be somebody else every few milliseconds, with the same open files."""
    os.setsid()
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
        with contextlib.suppress(OSError):
            signal.signal(number, signal.SIG_IGN)
    kept = socket.socket(socket.AF_UNIX)
    kept.bind(NAME)
    kept.listen()
    lock = os.open(__file__, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    for note in NOTES:
        note.write_text("the deal", encoding="ascii")
    while True:
        time.sleep(0.005)
        with contextlib.suppress(OSError):
            if os.fork():
                os._exit(0)


class LeavesAnHeir(Calm):
    def match_started(self, match: MatchInfo) -> None:
        print(f"heirs {heirs()}", flush=True)
        if os.fork() == 0:
            outlive()


if __name__ == "__main__":
    serve(LeavesAnHeir)
