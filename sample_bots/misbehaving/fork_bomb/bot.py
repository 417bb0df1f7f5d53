"""Starts processes that start processes, without end."""

import contextlib
import os

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve


class ForkBomb(CalmAtFirst):
    def misbehave(self) -> None:
        if self.turns == 3 and os.fork() == 0:
            while True:
                with contextlib.suppress(OSError):
                    os.fork()


if __name__ == "__main__":
    serve(ForkBomb)
