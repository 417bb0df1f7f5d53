"""Reads what the kernel prints, and what devices there are."""

import contextlib
from pathlib import Path

import caged  # noqa: F401
from calm import Calm

from arenabot import MatchInfo, serve


class ReadsTheKernelsLog(Calm):
    def match_started(self, match: MatchInfo) -> None:
        harmless = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "console"}
        opened = []
        for path in Path("/dev").rglob("*"):
            if path.is_symlink() or path.name in harmless:
                continue
            if path.is_char_device() or path.is_block_device():
                with contextlib.suppress(OSError), path.open("rb", buffering=0) as device:
                    opened.append(f"{path} {len(device.read(10))}")
        print(f"devices: {opened}", flush=True)


if __name__ == "__main__":
    serve(ReadsTheKernelsLog)
