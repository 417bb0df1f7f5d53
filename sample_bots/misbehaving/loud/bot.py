"""Prints 100 MB in its third turn."""

import os

from calm import CalmAtFirst

from arenabot import serve

LINE = b"x" * 999 + b"\n"


class Loud(CalmAtFirst):
    def misbehave(self) -> None:
        if self.turns == 3:
            for _ in range(100):
                os.write(1, LINE * 1000)
            os.write(1, b"the end of it\n")


if __name__ == "__main__":
    serve(Loud)
