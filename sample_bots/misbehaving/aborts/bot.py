"""Aborts in its third turn, as a library does that has found its memory broken."""

import os

from calm import CalmAtFirst

from arenabot import serve


class Aborts(CalmAtFirst):
    def misbehave(self) -> None:
        os.abort()


if __name__ == "__main__":
    serve(Aborts)
