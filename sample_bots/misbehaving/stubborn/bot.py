"""Ignores every signal that it can ignore, and does not end after its match."""

import contextlib
import signal

from calm import Calm

from arenabot import MatchInfo, serve


class Stubborn(Calm):
    def match_started(self, match: MatchInfo) -> None:
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            with contextlib.suppress(OSError):
                signal.signal(number, signal.SIG_IGN)


if __name__ == "__main__":
    serve(Stubborn)
