"""Looks at the end of a round for longer than it may: nobody waits, and no fault is charged."""

import time

from calm import Calm

from arenabot import RoundEnded, serve


class SlowReady(Calm):
    def round_ended(self, end: RoundEnded) -> None:
        time.sleep(1.5 * self.match.ready_time)


if __name__ == "__main__":
    serve(SlowReady)
