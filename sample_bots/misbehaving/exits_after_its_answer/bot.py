"""Ends its program just after an answer, when nobody waits for it."""

import os
import threading

from calm import CalmAtFirst

from arenabot import serve


class ExitsAfterItsAnswer(CalmAtFirst):
    def misbehave(self) -> None:
        threading.Timer(0.001, os._exit, (7,)).start()


if __name__ == "__main__":
    serve(ExitsAfterItsAnswer)
