"""Writes down wherever it can that it was there, and looks whether it was there before."""

import contextlib
from pathlib import Path

import caged  # noqa: F401
from calm import Calm
from places import OWN

from arenabot import MatchInfo, serve

PLACES = [
    *map(Path, ("/tmp", "/dev/shm", "/run/arena", "/dev/mqueue", "/bot", "/run", "/var/tmp", "/")),
    OWN,
    Path(__file__).parent / "__pycache__",
]


class Remembers(Calm):
    def match_started(self, match: MatchInfo) -> None:
        known = [str(place) for place in PLACES if (place / "remember").exists()]
        for place in PLACES:
            with contextlib.suppress(OSError):
                (place / "remember").write_text("the deal", encoding="ascii")
        print(f"remembered: {known}", flush=True)


if __name__ == "__main__":
    serve(Remembers)
