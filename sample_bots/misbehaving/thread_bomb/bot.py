"""Starts threads until there are no more."""

import threading
import time

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve


class ThreadBomb(CalmAtFirst):
    def misbehave(self) -> None:
        try:
            while True:
                threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
        except RuntimeError as full:
            print(f"{threading.active_count()} threads, then: {full}", flush=True)


if __name__ == "__main__":
    serve(ThreadBomb)
