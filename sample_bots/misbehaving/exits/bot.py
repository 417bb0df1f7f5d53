"""Ends its program in its third turn with an exit code of its own."""

import os

from calm import CalmAtFirst

from arenabot import serve


class Exits(CalmAtFirst):
    def misbehave(self) -> None:
        os._exit(42)


if __name__ == "__main__":
    serve(Exits)
