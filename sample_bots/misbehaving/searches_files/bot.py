"""Searches every file that it can read for a canary, and every name of one."""

import os
from pathlib import Path

from calm import Calm

from arenabot import serve

CANARY = b"arena-" + b"canary-"  # in two pieces, so that it does not find itself
ELSEWHERE = {"/proc", "/sys", "/dev"}


def holds_canary(path: Path) -> bool:
    """Whether the file, or its name, has the canary in it."""
    if CANARY in os.fsencode(path):
        return True
    try:
        with path.open("rb") as file:
            return path.is_file() and CANARY in file.read(1 << 16)
    except OSError:
        return False


if __name__ == "__main__":
    looked, found = 0, []
    for folder, folders, names in os.walk("/"):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in ELSEWHERE]
        for path in map(Path(folder).joinpath, names):
            looked += 1
            if holds_canary(path):
                found.append(str(path))
    print(f"looked into {'more than a thousand' if looked > 1000 else looked} files: {found}")
    serve(Calm)
