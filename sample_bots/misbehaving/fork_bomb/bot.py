"""Starts processes that start processes, without end, that ignore signals and compute."""

import os
import sys

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve

#: A program of its own, without gRPC's threads, which get in a fork's way.
BOMB = """
import os, signal
os.setsid()
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
while True:
    try:
        os.fork()
    except OSError:
        pass
"""


class ForkBomb(CalmAtFirst):
    def misbehave(self) -> None:
        while self.turns == 3:
            try:
                os.posix_spawn(sys.executable, ["python3", "-I", "-S", "-c", BOMB], os.environ)
            except OSError as full:
                print(f"no more: {full.strerror}", flush=True)
                break
        while True:
            pass


if __name__ == "__main__":
    serve(ForkBomb)
