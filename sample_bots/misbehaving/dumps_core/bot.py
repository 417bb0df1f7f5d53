"""Crashes in a child, to leave a picture of its memory on the disk."""

import ctypes
import os

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve


class DumpsCore(CalmAtFirst):
    def misbehave(self) -> None:
        child = os.fork()
        if child == 0:
            os.chdir("/tmp")
            ctypes.string_at(0)
        dumped = os.WCOREDUMP(os.waitpid(child, 0)[1])
        print(f"dumped: {dumped}, files: {os.listdir('/tmp')}", flush=True)


if __name__ == "__main__":
    serve(DumpsCore)
