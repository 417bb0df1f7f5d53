"""Socket folders for an arena that runs in a container itself.

The engine doesn't see what is mounted inside. So small volumes are declared beforehand, each a
tmpfs of its own: all of them are mounted in the arena's container, `<folder>/<number>` each, and a
bot's container gets one of them, so that no bot sees another's.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.errors import SandboxFailed
from arena.sandbox.folders import SocketFolder, remove_tree
from arena.sandbox.leases import Lease

VARIABLE: Final = "ARENA_SOCKET_VOLUMES"
"""`NAME:FOLDER`: the volumes are called NAME0, NAME1 ... and mounted at FOLDER/0, FOLDER/1 ...

Unset where the engine sees our mounts.
"""

#: No volume for a socket needs more; a larger one could fill the machine's memory.
_MOST_BYTES, _MOST_FILES = 1 << 20, 64
_PATIENCE: Final = 60.0
_PAUSE: Final = 0.05


#: One in so many may be kept by each worker with an idle container.
_IDLE_SHARE = 8


def slot_leases(uids: Path) -> Path:
    """Where the leases of slots lie: beside those of user ids."""
    return uids.with_name("slot-leases")


@dataclass(frozen=True, slots=True)
class Slots:
    """The volumes that were declared."""

    #: What they are called, less their numbers.
    volumes: str
    count: int
    folder: Path
    leases: Path

    @classmethod
    def declared(cls, leases: Path) -> "Slots | None":
        """Those that the setting names; None if it is unset.

        `leases` is where their leases lie. Raises `SandboxFailed` if there are none, or one that
        is no small tmpfs.
        """
        told = os.environ.get(VARIABLE)
        if not told:
            return None
        volumes, _, place = told.rpartition(":")
        folder = Path(place)
        if not volumes or not folder.is_absolute():
            raise SandboxFailed(
                f"{VARIABLE} is written NAME:FOLDER, as in compose.yaml, not {told}"
            )
        found = sorted(int(path.name) for path in folder.glob("[0-9]*"))
        if not found or found != list(range(len(found))):
            raise SandboxFailed(
                f"{VARIABLE} is {told}, so the volumes {volumes}0, {volumes}1 ... must be mounted "
                f"at {folder}/0, {folder}/1 ...: see compose.yaml"
            )
        for number in found:
            _check(folder / str(number), f"{volumes}{number}")
        return cls(volumes, len(found), folder, leases)

    @property
    def idle(self) -> int:
        """How many containers one worker may keep that play no match: each has a volume."""
        return self.count // _IDLE_SHARE

    def take(self, owner: str, uid: int, mode: int) -> SocketFolder:
        """A folder that nobody else has, empty and the user id's; waits for one if it must.

        Raises `SandboxFailed`.
        """
        deadline = time.monotonic() + _PATIENCE
        while (lease := Lease.acquire(self.leases, owner, range(self.count))) is None:
            if time.monotonic() > deadline:
                raise SandboxFailed(
                    f"all {self.count} socket volumes are in use: declare more of them, or play "
                    "fewer matches at a time (--workers)"
                )
            time.sleep(_PAUSE)
        path = self.folder / str(lease.number)
        _empty(path)
        os.chown(path, uid, uid)
        path.chmod(mode)
        return SocketFolder(path, mounted=True, slot=lease, volume=f"{self.volumes}{lease.number}")


def _empty(folder: Path) -> None:
    """Remove what a bot, perhaps of an arena that was killed, has left there."""
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            remove_tree(entry)
        else:
            entry.unlink()


def _check(path: Path, volume: str) -> None:
    room = os.statvfs(path)
    if (
        not path.is_mount()
        or room.f_blocks * room.f_frsize > _MOST_BYTES
        or not 0 < room.f_files <= _MOST_FILES
    ):
        raise SandboxFailed(
            f"the volume {volume} at {path} is no small tmpfs: declare it as compose.yaml does"
        )
