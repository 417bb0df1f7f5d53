"""Tries to get ahead of others: by priority, by its choice of cores, by setting the clock."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import caged  # noqa: F401
from calm import Calm

from arenabot import MatchInfo, serve


def works(attempt: Callable[[], object]) -> bool:
    """Whether it is not refused."""
    try:
        attempt()
    except OSError:
        return False
    return True


class Pushy(Calm):
    def match_started(self, match: MatchInfo) -> None:
        tried = {
            "nice": lambda: os.nice(-20),
            "priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
            "affinity": lambda: os.sched_setaffinity(0, {0}),
            "scheduler": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
            "clock": lambda: time.clock_settime(time.CLOCK_REALTIME, 0),
            "memory": lambda: Path("/proc/self/oom_score_adj").write_text(
                "-1000", encoding="ascii"
            ),
        }
        gained = [name for name, attempt in tried.items() if works(attempt)]
        print(f"tried {len(tried)}, gained {gained}", flush=True)


if __name__ == "__main__":
    serve(Pushy)
