"""Leaves a process that changes its id all the time, ignores signals, and waits for the next match.

The next match of this bot looks for it: by its socket, its lock, its files and its id.
"""

import fcntl
import os
import socket
import sys
import time
from pathlib import Path

import caged  # noqa: F401
from calm import Calm

from arenabot import MatchInfo, serve

NAME = "heir"
HEIR = str(Path(__file__).with_name("heir.py"))
NOTES = [Path("/tmp/heir"), Path("/dev/shm/heir")]


def heirs() -> list[str]:
    """What is left of the match before."""
    found = [str(note) for note in NOTES if note.exists()]
    with socket.socket(socket.AF_UNIX) as knock:
        if knock.connect_ex(f"\0{NAME}") == 0:
            found.append("socket")
    with Path(__file__).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            found.append("lock")
    strangers = {int(name) for name in os.listdir("/proc") if name.isdigit()} - {1, os.getpid()}
    return [*found, *(f"process {number}" for number in strangers)]


class LeavesAnHeir(Calm):
    def match_started(self, match: MatchInfo) -> None:
        before = heirs()
        heir = [sys.executable, "-I", "-S", HEIR, NAME, __file__, *map(str, NOTES)]
        os.posix_spawn(sys.executable, heir, os.environ)
        while not NOTES[-1].exists():
            time.sleep(0.01)
        print(f"found {before}, left more: {len(heirs()) >= 5}", flush=True)


if __name__ == "__main__":
    serve(LeavesAnHeir)
