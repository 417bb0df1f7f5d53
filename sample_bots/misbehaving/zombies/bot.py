"""Starts children that end at once, and never asks how they ended."""

import os

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve


class Zombies(CalmAtFirst):
    def misbehave(self) -> None:
        try:
            while True:
                os.posix_spawn("/bin/true", ["true"], {})
        except OSError as full:
            print(f"no more: {full.strerror}", flush=True)


if __name__ == "__main__":
    serve(Zombies)
