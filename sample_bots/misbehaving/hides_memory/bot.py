"""Takes memory in files that have no name and belong to no process's count."""

import os

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve


class HidesMemory(CalmAtFirst):
    def misbehave(self) -> None:
        while True:
            hidden = os.memfd_create("hidden")
            for _ in range(15):
                os.write(hidden, b"x" * (1 << 20))


if __name__ == "__main__":
    serve(HidesMemory)
