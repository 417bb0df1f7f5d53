"""Fills its container with processes that are hard to end, and does not end after its match.

Some are stopped, some wait for a child as only vfork does, some have lost their first thread, some
flee from one id to the next, some are dead and unburied; all have sessions of their own and ignore
signals, and none of them can be looked at from its own user id.
"""

import os
import sys
import time
from pathlib import Path

import caged  # noqa: F401
from calm import Calm

from arenabot import MatchInfo, serve

#: A program of its own: a fork beside gRPC's threads may hang.
CROWD = str(Path(__file__).with_name("crowd.py"))


class RefusesToDie(Calm):
    def match_started(self, match: MatchInfo) -> None:
        os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", CROWD], os.environ)
        while sum(name.isdigit() for name in os.listdir("/proc")) < 13:
            time.sleep(0.01)
        print("a dozen are here", flush=True)


if __name__ == "__main__":
    serve(RefusesToDie)
