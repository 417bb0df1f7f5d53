"""Writes a file that is too large, and one that only claims to be."""

from pathlib import Path

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve


class BigFiles(CalmAtFirst):
    def misbehave(self) -> None:
        for place, size in (("/tmp/sparse", 1 << 40), ("/tmp/large", (16 << 20) + 1)):
            try:
                with Path(place).open("wb") as file:
                    file.truncate(size)
            except OSError as error:
                print(f"{place}: {error.strerror}", flush=True)


if __name__ == "__main__":
    serve(BigFiles)
