"""Takes memory without end in its third turn."""

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve


class Hog(CalmAtFirst):
    def misbehave(self) -> None:
        kept = []
        while True:
            kept.append(b"x" * (1 << 20))


if __name__ == "__main__":
    serve(Hog)
