"""Sleeps half as long again as each turn may take, and then answers what is long decided."""

import time

from calm import CalmAtFirst

from arenabot import serve


class Oversleeper(CalmAtFirst):
    def misbehave(self) -> None:
        time.sleep(1.5 * self.match.turn_time)


if __name__ == "__main__":
    serve(Oversleeper)
