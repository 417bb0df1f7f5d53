"""Raises an error when it hears how a round ended."""

from calm import Calm

from arenabot import RoundEnded, serve


class CrashAtRoundEnd(Calm):
    def round_ended(self, end: RoundEnded) -> None:
        raise RuntimeError(f"round {end.round} was unfair")


if __name__ == "__main__":
    serve(CrashAtRoundEnd)
