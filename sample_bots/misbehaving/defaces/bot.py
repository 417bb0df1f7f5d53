"""Tries to open for writing what it must not change: its code, the SDK, Python, the system."""

import contextlib
import sys
from pathlib import Path

import caged  # noqa: F401
from calm import CalmAtFirst

import arenabot
from arenabot import serve


class Defaces(CalmAtFirst):
    def misbehave(self) -> None:
        opened = []
        for path in (
            __file__,
            arenabot.__file__,
            sys.executable,
            "/etc/passwd",
            "/dev/mem",
            "/new",
        ):
            with contextlib.suppress(OSError), Path(path).open("ab"):
                opened.append(path)
        print(f"opened for writing: {opened}", flush=True)


if __name__ == "__main__":
    serve(Defaces)
