"""Makes folders inside folders as deep as it can, where others must clean up."""

import contextlib
import os
from pathlib import Path

import caged  # noqa: F401
from calm import CalmAtFirst
from places import OWN

from arenabot import serve


class DigsDeep(CalmAtFirst):
    def misbehave(self) -> None:
        for start in (Path("/tmp"), OWN):
            os.chdir(start)
            if Path("deep").exists():
                return
            depth = 0
            with contextlib.suppress(OSError):
                while True:
                    os.mkdir("deep", mode=0o700)
                    os.chdir("deep")
                    depth += 1
            os.chmod(".", 0)
            print(f"{depth} deep below {start}", flush=True)


if __name__ == "__main__":
    serve(DigsDeep)
