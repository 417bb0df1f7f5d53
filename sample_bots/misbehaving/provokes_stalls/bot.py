"""Loads the machine with all that it may start and lets its time run out.

A match in which the machine stood still is played again, which a bot that is losing would like: but
what it does itself is charged to it.
"""

import hashlib
import os
import time

from calm import CalmAtFirst

from arenabot import serve


def burn(until: float) -> None:
    """Compute and say a lot."""
    while time.monotonic() < until:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 1_000)
        print("busy " * 20, flush=True)


class ProvokesStalls(CalmAtFirst):
    def misbehave(self) -> None:
        until = time.monotonic() + 2 * self.match.turn_time
        children = []
        for _ in range(12):
            child = os.fork()
            if child == 0:
                burn(until)
                os._exit(0)
            children.append(child)
        for child in children:
            os.waitpid(child, 0)


if __name__ == "__main__":
    serve(ProvokesStalls)
