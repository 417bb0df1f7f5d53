"""Where the kernel keeps the accounts of a container: cgroup version 1, 2, or both (hybrid)."""

from pathlib import Path
from typing import Final

CGROUPS: Final = Path("/sys/fs/cgroup")


def cgroup_folders(pid: int, container: str, *, cgroups: Path = CGROUPS) -> dict[str, Path]:
    """The folders of a container in which `pid` is, by controller; "" is the tree of version 2.

    Empty if they can't be known. The container's id must be part of the path: a pid may have been
    used again.
    """
    try:
        lines = Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    version_2 = "" if (cgroups / "cgroup.controllers").exists() else "unified"
    found = {}
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if container in path:
            for name in controllers.split(","):
                found[name] = cgroups / (name or version_2) / path.lstrip("/")
    return found
