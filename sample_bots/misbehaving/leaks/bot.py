"""Keeps 40 MiB more in each turn."""

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve

KEPT: list[bytes] = []


class Leaks(CalmAtFirst):
    def misbehave(self) -> None:
        KEPT.append(b"x" * (40 << 20))


if __name__ == "__main__":
    serve(Leaks)
