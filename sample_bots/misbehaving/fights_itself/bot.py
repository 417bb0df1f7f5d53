"""Lets its own threads keep each other from running, to have the delay taken for the host's."""

import sys
import threading

from calm import CalmAtFirst

from arenabot import serve


def spin() -> None:
    """Keep Python's lock."""
    while True:
        pass


class FightsItself(CalmAtFirst):
    def misbehave(self) -> None:
        sys.setswitchinterval(3600)
        for _ in range(30):
            threading.Thread(target=spin, daemon=True).start()


if __name__ == "__main__":
    serve(FightsItself)
