"""Burns CPU time in sixteen threads at once in each of its turns."""

import hashlib
import threading
import time

from calm import CalmAtFirst

from arenabot import serve


def burn(until: float) -> None:
    """Compute, with all cores: the hash lets other threads run meanwhile."""
    while time.monotonic() < until:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 10_000)


class ManyThreads(CalmAtFirst):
    def misbehave(self) -> None:
        until = time.monotonic() + 0.1
        threads = [threading.Thread(target=burn, args=(until,)) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    serve(ManyThreads)
