"""Raises an error whose text is long and full of what a terminal obeys."""

from calm import CalmAtFirst

from arenabot import serve


class CrashWithABang(CalmAtFirst):
    def misbehave(self) -> None:
        raise RuntimeError("\x1b[2J\x1b]0;owned\x07 \u202e\n\r\0 " + 2_000 * "boom ")


if __name__ == "__main__":
    serve(CrashWithABang)
