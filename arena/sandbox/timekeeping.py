"""What of a bot's time this machine lets us know, in words for an operator."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from arena.sandbox.cgroups import CGROUPS

_PRESSURE = Path("/proc/pressure/cpu")


class Known(NamedTuple):
    """Something to be known or done, whether it can be, and the sentence for either case."""

    name: str
    there: bool
    yes: str
    no: str


def timekeeping(*, cgroups: Path = CGROUPS, pressure: Path = _PRESSURE) -> list[Known]:
    """Look at this machine."""
    pure = (cgroups / "cgroup.controllers").exists()
    version_2 = pure or (cgroups / "unified").is_dir()
    counted = pure or (cgroups / "cpuacct").exists()
    freezer = os.geteuid() == 0 and (version_2 or (cgroups / "freezer").exists())
    return [
        Known(
            "own time",
            counted,
            "the CPU time of each bot and what it waits for a CPU are read from the kernel",
            f"there is no CPU accounting below {cgroups}: time that a busy machine takes from "
            "a bot counts as its own",
        ),
        Known(
            "waits that go on",
            version_2 and _has_full(pressure),
            "the kernel counts CPU pressure, so a bot's wait shows before it has ended",
            "the kernel keeps no CPU pressure of containers: a bot's wait shows once it has "
            "ended; boot with psi=1 and cgroup version 2",
        ),
        Known(
            "freezer",
            freezer,
            "bots that compute on others' time can be held still between their turns",
            "bots that compute on others' time can't be held still, and it is measured only: "
            "run the arena as root",
        ),
    ]


def _has_full(pressure: Path) -> bool:
    try:
        return "full" in pressure.read_text(encoding="ascii")
    except OSError:
        return False
