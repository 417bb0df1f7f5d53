"""Answers after its time while sixteen of its threads keep each other waiting for a CPU.

All of that waiting is its own, so none of it may buy the time that its answer takes too long.
"""

import hashlib
import threading
import time

from calm import CalmAtFirst

from arenabot import serve


def contend(until: float) -> None:
    """Compute now and then, so that all want to run at the same moments."""
    while time.monotonic() < until:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 1_000)
        time.sleep(0.001)


class ContendsWithItself(CalmAtFirst):
    def misbehave(self) -> None:
        until = time.monotonic() + 1.6 * self.match.turn_time
        threads = [threading.Thread(target=contend, args=(until,)) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    serve(ContendsWithItself)
