"""A container's writable places, seen from the host: emptied and checked between two matches.

They are reached through descriptors that were opened before a bot ran there, and looked at only
when none of its processes is left, so nothing can move under our hands. What a bot may not make or
own it may still touch: the times of files that everybody may write to, such as /dev/null, are set
back, since a moment is a message, too. What is left are the kernel's own counters (process and
inode numbers, the times of what was looked up in /proc): they are why a container never meets the
same deals twice.
"""

import os
import stat
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.folders import remove_tree

_FOLDERS: Final = ("tmp", "dev/shm", "dev/mqueue", "run/arena")
"""Where a bot can make files, by their names inside."""
_TOUCHABLE: Final = "dev"
"""Where there are files that everybody may write to, by its name inside."""
_NEVER: Final = 0
"""The time, in nanoseconds, that files are set back to."""
_PATIENCE: Final = 0.25
"""Seconds that the kernel may take to let go of files that were on their way between processes."""


@dataclass(frozen=True, slots=True)
class _Place:
    descriptor: int
    files: int
    blocks: int

    def is_as_it_was(self) -> bool:
        now = os.fstatvfs(self.descriptor)
        return (
            (now.f_ffree, now.f_bfree) == (self.files, self.blocks)
            and not os.listdir(self.descriptor)  # noqa: PTH208 - a path would be followed
        )


class Rooms:
    """The writable places of one container."""

    def __init__(self, pid: int) -> None:
        """Take note of them as they are, before the first match; `pid` is the first process.

        Raises `OSError` where we may not look into it.
        """
        root = Path(f"/proc/{pid}/root")
        self._places: list[_Place] = []
        with ExitStack() as opened:
            for name in _FOLDERS:
                place = os.open(root / name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                opened.callback(os.close, place)
                free = os.fstatvfs(place)
                self._places.append(_Place(place, free.f_ffree, free.f_bfree))
            self._devices = os.open(root / _TOUCHABLE, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            opened.callback(os.close, self._devices)
            self._touchable = _for_everybody(root / _TOUCHABLE)
            self._set_back()
            self._opened = opened.pop_all()

    def sweep(self) -> bool:
        """Empty every place and set times back; False if something is left.

        To be called only when no process of a bot's is left in the container.
        """
        try:
            for place in self._places:
                if not place.is_as_it_was():
                    _empty(place.descriptor)
            clean = self._clean()
            self._set_back()
        except OSError:  # whatever it is, the next match must not find it
            return False
        return clean

    def close(self) -> None:
        """Let go of the places."""
        self._opened.close()

    def _clean(self) -> bool:
        deadline = time.monotonic() + _PATIENCE
        while not all(place.is_as_it_was() for place in self._places):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.005)
        return True

    def _set_back(self) -> None:
        for place in self._places:
            os.utime(place.descriptor, ns=(_NEVER, _NEVER))
        for name in self._touchable:
            os.utime(name, ns=(_NEVER, _NEVER), dir_fd=self._devices, follow_symlinks=False)


def _for_everybody(folder: Path) -> list[str]:
    """The files below a folder that everybody may write to, by their paths from there."""
    found = []
    for name, folders, files in os.walk(folder):
        for file in (*files, *folders):
            path = Path(name, file)
            mode = path.lstat().st_mode  # by which everybody may write to a link
            if mode & stat.S_IWOTH and not (stat.S_ISDIR(mode) and _is_read_only(path)):
                found.append(str(path.relative_to(folder)))
    return found


def _is_read_only(folder: Path) -> bool:
    """Whether nobody can write there whatever its mode says, as in a masked folder."""
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def _empty(folder: int) -> None:
    """Remove all that lies in a folder; quickly what is simple, with care what is not."""
    # Not by /proc/self, which means somebody else to the programs that remove a tree.
    here = Path(f"/proc/{os.getpid()}/fd/{folder}")
    for name in os.listdir(folder):
        try:
            os.unlink(name, dir_fd=folder)
        except OSError:
            _remove_folder(here / name)


def _remove_folder(path: Path) -> None:
    with suppress(OSError):  # as in the socket's folder: a file or two
        for entry in list(path.iterdir()):
            entry.unlink()
    remove_tree(path)
