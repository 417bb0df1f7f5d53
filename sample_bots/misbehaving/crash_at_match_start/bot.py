"""Raises an error when it hears of its match."""

from calm import Calm

from arenabot import MatchInfo, serve


class CrashAtMatchStart(Calm):
    def match_started(self, match: MatchInfo) -> None:
        raise RuntimeError("I had no idea")


if __name__ == "__main__":
    serve(CrashAtMatchStart)
