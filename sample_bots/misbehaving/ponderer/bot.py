"""Computes all the time, also while others think, in two threads that need no lock of Python's."""

import hashlib
import threading

from calm import Calm

from arenabot import MatchInfo, serve


def ponder() -> None:
    """Compute for ever."""
    while True:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 10_000)


class Ponderer(Calm):
    def match_started(self, match: MatchInfo) -> None:
        for _ in range(2):
            threading.Thread(target=ponder, daemon=True).start()


if __name__ == "__main__":
    serve(Ponderer)
