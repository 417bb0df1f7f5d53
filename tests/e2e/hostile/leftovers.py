"""What bots leave on this machine, and how a match worker fares."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Self

import docker

from arena.sandbox.folders import mounts_below
from arena.sandbox.instance import LABEL_PREFIX
from arena.sandbox.uids import MACHINE_UIDS


def processes() -> set[str]:
    """The processes that there are."""
    return {process.name for process in Path("/proc").glob("[0-9]*")}


def left_behind(engine: docker.APIClient, run: Path, bot: Path, old: set[str]) -> list[str]:
    """Everything that the bots of a run have left, and processes in the folder of one of them.

    Empty once their match is over: no container, mount, folder, socket, user id or process, other
    than the `old` ones.
    """
    its = {"label": f"{LABEL_PREFIX}instance={run.name}"}
    found = [f"container {entry['Names']}" for entry in engine.containers(all=True, filters=its)]
    found += [f"mount {place}" for place in mounts_below(run)]
    found += [f"folder {entry}" for entry in run.glob("*/*") if entry.name != "lock"]
    owners = {int(path.name): _text(path) for path in MACHINE_UIDS.glob("[0-9]*")}
    ours = {uid for uid, owner in owners.items() if owner.startswith(str(run))}
    found += [f"user id {uid}" for uid in ours]
    nobodys = ours | {uid for uid, owner in owners.items() if not owner}
    for process in map(Path("/proc").joinpath, processes() - old):
        with suppress(OSError):  # it has ended
            if process.stat().st_uid in nobodys or (process / "cwd").readlink() == bot:
                found.append(f"process {process.name}: {_text(process / 'cmdline')!r}")
    return found


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
        wanted = os.fsencode(run)
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if (process / "cmdline").read_bytes().split(b"\0")[-2:] == [wanted, b""]:
                    return cls(process)
        raise FileNotFoundError(f"no worker of {run}")

    def forget_peak(self) -> None:
        """Look for the peak of its memory from now on."""
        (self._process / "clear_refs").write_text("5")

    def memory(self) -> tuple[int, int]:
        """What it holds now, and at its peak, in bytes."""
        lines = (self._process / "status").read_text().splitlines()
        sizes = {line.split(":")[0]: line.split()[1] for line in lines if line.endswith(" kB")}
        return int(sizes["VmRSS"]) << 10, int(sizes["VmHWM"]) << 10

    def descriptors(self) -> int:
        """How many files, sockets and the like it has open."""
        return len(list((self._process / "fd").iterdir()))

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
