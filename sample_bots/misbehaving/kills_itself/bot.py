"""Sends its own process a signal that nobody survives."""

import os
import signal

from calm import CalmAtFirst

from arenabot import serve


class KillsItself(CalmAtFirst):
    def misbehave(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    serve(KillsItself)
