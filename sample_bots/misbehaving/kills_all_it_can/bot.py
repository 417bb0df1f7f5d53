"""Sends every process a signal that nobody survives, one by one and all at once."""

import contextlib
import os
import signal

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve


class KillsAllItCan(CalmAtFirst):
    def misbehave(self) -> None:
        killed = []
        own = {int(thread) for thread in os.listdir("/proc/self/task")}
        for target in (-1, *range(1, 70)):
            if target not in own:
                with contextlib.suppress(OSError):
                    os.kill(target, signal.SIGKILL)
                    killed.append(target)
        print(f"killed {killed}, alive", flush=True)


if __name__ == "__main__":
    serve(KillsAllItCan)
