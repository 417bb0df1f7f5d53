"""Raises an error in its third turn."""

from calm import CalmAtFirst

from arenabot import serve


class CrashInTurn(CalmAtFirst):
    def misbehave(self) -> None:
        raise ValueError("what do I do now?")


if __name__ == "__main__":
    serve(CrashInTurn)
