"""Fills the folder of its socket, with bytes and then with empty files."""

import itertools
from pathlib import Path

import caged  # noqa: F401
from calm import CalmAtFirst
from places import OWN

from arenabot import serve


class FillsItsSocketFolder(CalmAtFirst):
    def misbehave(self) -> None:
        for size in (1 << 20, 0):
            try:
                for number in itertools.count():
                    Path(OWN, f"{size}-{number}").write_bytes(b"x" * size)
            except OSError as full:
                print(f"no more: {full.strerror}", flush=True)


if __name__ == "__main__":
    serve(FillsItsSocketFolder)
