"""Leaves a child that has a session of its own and ignores what would end it."""

import os
import signal
import time

from calm import Calm

from arenabot import MatchInfo, serve


class OutlivesItsMatch(Calm):
    def match_started(self, match: MatchInfo) -> None:
        if os.fork() == 0:
            os.setsid()
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            while True:
                time.sleep(1)


if __name__ == "__main__":
    serve(OutlivesItsMatch)
