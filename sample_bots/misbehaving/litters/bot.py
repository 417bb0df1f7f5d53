"""Leaves litter that is deep, locked, linked and oddly named, and looks for it the next time.

All that is swept between two matches is there: files without number, folders in folders, names
that no terminal should see, links out, sockets, files with holes, folders that nobody may enter.
"""

import contextlib
import os
import socket
from pathlib import Path

import caged  # noqa: F401
from calm import Calm
from places import OWN

from arenabot import MatchInfo, serve

PLACES = [Path("/tmp"), Path("/dev/shm"), OWN]


def found() -> list[str]:
    """What lies about, and what is used up."""
    names = [
        str(entry) for place in PLACES for entry in place.iterdir() if entry.name != "bot.sock"
    ]
    for place in PLACES[:2]:
        space = os.statvfs(place)
        if space.f_bfree < space.f_blocks or space.f_files - space.f_ffree > 1:
            names.append(f"{place} is used")
    return names


def litter() -> None:
    """Fill every place from the folder we are in."""
    Path("line\nfeed \x1b[31m").write_bytes(b"")
    os.symlink("/", "root")
    os.symlink("loop", "loop")
    with Path("holes").open("wb") as file:
        file.truncate(16 << 20)
        file.seek(8 << 20)
        file.write(b"x")
    os.link("holes", "again")
    with socket.socket(socket.AF_UNIX) as left:
        left.bind("socket")
    Path("locked").mkdir()
    Path("locked/in").write_bytes(b"x")
    Path("locked").chmod(0)
    for number in range(400):
        Path(f"{number}.litter").write_bytes(b"x")
    for _ in range(2000):
        os.mkdir("deep")
        os.chdir("deep")
    Path("bottom").write_bytes(b"x")


class Litters(Calm):
    def match_started(self, match: MatchInfo) -> None:
        before = found()
        for place in PLACES:
            os.chdir(place)
            with contextlib.suppress(OSError):
                litter()
        os.chdir("/")
        print(f"found {before}, left more: {len(found()) > 400}", flush=True)


if __name__ == "__main__":
    serve(Litters)
