"""Reads from nowhere in its third turn."""

import ctypes

from calm import CalmAtFirst

from arenabot import serve


class Segfault(CalmAtFirst):
    def misbehave(self) -> None:
        ctypes.string_at(0)


if __name__ == "__main__":
    serve(Segfault)
