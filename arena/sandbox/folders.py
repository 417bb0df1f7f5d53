"""The folder in which a bot makes its socket.

As root it is a tiny tmpfs of its own: a bot can fill neither our disk nor our inodes, nest no
deep tree, and link to nothing outside (SECURITY, finding 10). Elsewhere it is a plain folder, and
`protections` says so.
"""

import ctypes
import os
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.errors import SandboxFailed
from arena.sandbox.leases import Lease

SOCKET_NAME: Final = "bot.sock"

_SIZE: Final = "64k"
_INODES: Final = 16
_NOSUID, _NODEV, _NOEXEC, _DETACH, _NOFOLLOW = 2, 4, 8, 2, 8
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class SocketFolder:
    """A folder that one bot owns; `remove` takes it away with all that the bot put there."""

    path: Path
    mounted: bool
    slot: Lease | None = None
    """Of a volume that was there before; who takes it next empties it."""
    volume: str = ""
    """What the engine calls that volume."""

    def remove(self) -> None:
        """Remove the folder: nothing that uses it is left. It may be gone already."""
        if self.slot is not None:
            self.slot.release()
        else:
            self._take_away()

    def abandon(self) -> None:
        """Give the folder up, though a bot may still use it."""
        if self.slot is not None:
            self.slot.abandon()
        else:
            self._take_away()

    def _take_away(self) -> None:
        if self.mounted:
            unmount(self.path)
        remove_tree(self.path)


def make_folder(path: Path, uid: int, mode: int = 0o700) -> SocketFolder:
    """Make the folder `path` for a bot of this user id, on a tmpfs of its own if we may mount."""
    path.mkdir(mode=0o700)
    if os.geteuid() != 0:
        return SocketFolder(path, mounted=False)
    try:
        mount_tmpfs(path, uid, mode)
    except PermissionError:  # root without the capability to mount
        os.chown(path, uid, uid)
        path.chmod(mode)
        return SocketFolder(path, mounted=False)
    except OSError as error:
        path.rmdir()
        raise SandboxFailed(f"can't mount a tmpfs for a bot's socket: {error.strerror}") from error
    return SocketFolder(path, mounted=True)


def check_mount(pid: int, folder: SocketFolder, inside: str) -> None:
    """Make sure that the container of `pid` has our folder at `inside`; raises `SandboxFailed`.

    To be done before a bot is blamed for a missing socket: an engine in a mount namespace of its
    own binds the empty folder below our tmpfs.
    """
    with suppress(OSError):  # it ended, or we aren't root and have mounted nothing
        device = folder.path.stat().st_dev
        mounts = Path(f"/proc/{pid}/mountinfo").read_text(encoding="utf-8")
        for line in mounts.splitlines():
            _, _, found, _, place, *_ = line.split(" ")
            if place == inside and found != f"{os.major(device)}:{os.minor(device)}":
                raise SandboxFailed(
                    "the container engine doesn't see what we mount: run the arena outside "
                    "containers and private mount namespaces, or not as root"
                )


def make_short_folder(link: Path) -> SocketFolder:
    """Make a private folder with a short path, and `link` to it for whoever cleans up after us.

    A socket's path may have 107 bytes, and a store may lie deeper than that.
    """
    folder = tempfile.mkdtemp(prefix="arena-")
    link.symlink_to(folder)
    return SocketFolder(Path(folder), mounted=False)


def mount_tmpfs(path: Path, uid: int, mode: int = 0o700) -> None:
    """Mount a bounded tmpfs that the user id owns; raises `OSError`."""
    options = f"size={_SIZE},nr_inodes={_INODES},mode={mode:o},uid={uid},gid={uid}"
    flags = ctypes.c_ulong(_NOSUID | _NODEV | _NOEXEC)
    name = os.fsencode(path)
    if _libc.mount(b"arena", name, b"tmpfs", flags, options.encode()) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(path))


def unmount(path: Path) -> bool:
    """Take a mount away even while somebody holds a file of it open; False if there is none."""
    return int(_libc.umount2(os.fsencode(path), _DETACH | _NOFOLLOW)) == 0


def mounts_below(folder: Path) -> list[Path]:
    """What is mounted below a folder, according to the kernel, deepest first."""
    found = []
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        place = Path(line.split(" ")[4].encode().decode("unicode_escape"))
        if place != folder and place.is_relative_to(folder):
            found.append(place)
    return sorted(found, key=lambda place: len(place.parts), reverse=True)


def remove_tree(path: Path) -> None:
    """Remove a tree that a bot may have made hostile: deep, unreadable, full of links.

    The system's tools, because recursion in Python fails at a depth of about 1,000. They are asked
    only if there is something to do, since each costs a process.
    """
    try:
        path.rmdir()
    except FileNotFoundError:
        return
    except OSError:
        subprocess.run(["chmod", "-R", "u+rwX", "--", path], check=False, capture_output=True)
        subprocess.run(["rm", "-rf", "--", path], check=False, capture_output=True)
