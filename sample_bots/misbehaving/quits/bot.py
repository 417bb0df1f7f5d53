"""Ends its program in its third turn, as if all were well."""

import sys

from calm import CalmAtFirst

from arenabot import serve


class Quits(CalmAtFirst):
    def misbehave(self) -> None:
        sys.exit()


if __name__ == "__main__":
    serve(Quits)
