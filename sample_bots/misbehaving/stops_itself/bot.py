"""Stops its own process in its third turn: it lives, holds its connection and is silent."""

import os
import signal

from calm import CalmAtFirst

from arenabot import serve


class StopsItself(CalmAtFirst):
    def misbehave(self) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)


if __name__ == "__main__":
    # The first process of a container can't be stopped from inside, a child of it can.
    if child := os.fork():
        os.waitpid(child, 0)
    else:
        serve(StopsItself)
