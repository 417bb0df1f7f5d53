"""What bots leave on this machine, and how a match worker fares."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Self

import docker
from docker.errors import NotFound

from arena.sandbox.folders import mounts_below
from arena.sandbox.instance import LABEL_PREFIX
from arena.sandbox.uids import MACHINE_UIDS

EACH_CONTAINER = 7
"""Descriptors that a worker holds for each container that it keeps."""
CONNECTIONS = 25
"""Connections to the engine that docker-py keeps: one for each of the last addresses it asked."""


def processes() -> set[str]:
    """The processes that there are."""
    return {process.name for process in Path("/proc").glob("[0-9]*")}


def kept_containers(engine: docker.APIClient, run: Path) -> list[str]:
    """The names of the containers that a run keeps between matches."""
    return [name for name, running in containers_of(engine, run).items() if running]


def left_behind(engine: docker.APIClient, run: Path, bot: Path, old: set[str]) -> list[str]:
    """Everything that the bots of a run have left, and processes in the folder of one of them.

    Empty once their match is over: no mount, folder, socket, user id or process, other than the
    `old` ones and what belongs to containers that are kept.
    """
    kept = len(kept_containers(engine, run))
    found = [
        f"container {name}" for name, running in containers_of(engine, run).items() if not running
    ]
    mounts = list(mounts_below(run))
    folders = [entry for entry in run.glob("*/*") if entry.name != "lock"]
    if len(mounts) > kept or len(folders) > kept:
        found.append(f"{kept} containers are kept, and there are {mounts} and {folders}")
    found += [f"file {file}" for place in mounts for file in place.iterdir()]
    owners = {int(path.name): _text(path) for path in MACHINE_UIDS.glob("[0-9]*")}
    ours = {uid for uid, owner in owners.items() if owner.startswith(str(run))}
    found += [f"user id {uid}" for uid in ours]
    for process in map(Path("/proc").joinpath, processes() - old):
        with suppress(OSError):  # it has ended
            uid = process.stat().st_uid
            # Asked anew: another run may have taken an id meanwhile that was nobody's.
            nobodys = uid in ours or (uid in owners and not _text(MACHINE_UIDS / str(uid)))
            if (nobodys and not _is_anothers(engine, run, process)) or (
                process / "cwd"
            ).readlink() == bot:
                found.append(f"process {process.name}: {_text(process / 'cmdline')!r}")
    return found


def _is_anothers(engine: docker.APIClient, run: Path, process: Path) -> bool:
    """Whether a process is in a container of another run's, which may count user ids elsewhere."""
    found = re.search("[0-9a-f]{64}", _text(process / "cgroup"))
    if found is None:
        return False
    try:
        labels = engine.inspect_container(found[0])["Config"]["Labels"]
    except NotFound:
        return False
    return bool(labels.get(f"{LABEL_PREFIX}instance") != run.name)


def containers_of(engine: docker.APIClient, run: Path) -> dict[str, bool]:
    """The containers of a run by name, and whether they run."""
    its = {"label": f"{LABEL_PREFIX}instance={run.name}"}
    return {
        entry["Names"][0]: entry["State"] == "running"
        for entry in engine.containers(all=True, filters=its)
    }


def _text(path: Path) -> str:
    with suppress(OSError):
        return path.read_text()
    return ""


class Worker:
    """A match worker as the kernel sees it; raises FileNotFoundError once it is gone."""

    def __init__(self, process: Path) -> None:
        """`process` as in /proc."""
        self._process = process

    @classmethod
    def of(cls, run: Path) -> Self:
        """The one worker of a run."""
        for worker in cls.all_of(run):
            return worker
        raise FileNotFoundError(f"no worker of {run}")

    @classmethod
    def all_of(cls, run: Path) -> list[Self]:
        """All workers of a run."""
        wanted = os.fsencode(run)
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if (process / "cmdline").read_bytes().split(b"\0")[-2:] == [wanted, b""]:
                    found.append(cls(process))
        return found

    def forget_peak(self) -> None:
        """Look for the peak of its memory from now on."""
        (self._process / "clear_refs").write_text("5")

    def memory(self) -> tuple[int, int]:
        """What it holds now, and at its peak, in bytes."""
        lines = (self._process / "status").read_text().splitlines()
        sizes = {line.split(":")[0]: line.split()[1] for line in lines if line.endswith(" kB")}
        return int(sizes["VmRSS"]) << 10, int(sizes["VmHWM"]) << 10

    def descriptors(self) -> int:
        """How many files, sockets and the like it has open, but for its own threads' counters."""
        return sum(not name.endswith("/schedstat") for name in self.open_files())

    def open_files(self) -> list[str]:
        """What they are."""
        names = []
        for entry in (self._process / "fd").iterdir():
            with suppress(OSError):
                names.append(str(entry.readlink()))
        return names

    def threads(self) -> int:
        """How many threads it has."""
        return len(list((self._process / "task").iterdir()))

    def cpu(self) -> float:
        """Seconds of CPU time that it has used."""
        fields = (self._process / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
