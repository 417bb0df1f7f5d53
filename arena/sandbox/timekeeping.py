"""Whether this machine's kernel shows how long a container waits for a CPU before the wait ends."""

from __future__ import annotations

from pathlib import Path

from arena.sandbox.cgroups import CGROUPS

_PRESSURE = Path("/proc/pressure/cpu")


def shows_waits_that_go_on(*, cgroups: Path = CGROUPS, pressure: Path = _PRESSURE) -> bool:
    """Whether it keeps full CPU pressure, in cgroups of version 2, be it beside version 1."""
    if not any((cgroups / name).exists() for name in ("cgroup.controllers", "unified")):
        return False
    try:
        return "full" in pressure.read_text(encoding="ascii")
    except OSError:
        return False
