"""Numbered things of a machine that one bot has at a time: user ids, socket volumes.

A file for each number is locked while its bot lives and names its owner. A file that names an owner
but is not locked belongs to a bot that may still run after its arena died: it is skipped until
`reap` knows.
"""

import fcntl
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Self


class Lease:
    """A number that nobody else has until it is released."""

    def __init__(self, number: int, lock: int) -> None:
        """Use `acquire`."""
        self.number = number
        self._lock = lock

    @classmethod
    def acquire(cls, directory: Path, owner: str, numbers: Iterable[int]) -> Self | None:
        """Take the first that is free; None if none is.

        `owner` tells `release_dead` whose it was if this process dies.
        """
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        for number in numbers:
            lock = _lock(directory / str(number))
            if lock is None:
                continue
            if os.fstat(lock).st_size == 0:
                os.pwrite(lock, owner.encode(), 0)
                return cls(number, lock)
            os.close(lock)
        return None

    def release(self) -> None:
        """Give it back: its bot is gone for certain."""
        os.truncate(self._lock, 0)
        os.close(self._lock)

    def abandon(self) -> None:
        """Leave it marked as taken, because its bot may still run; `reap` gives it back."""
        os.close(self._lock)


def release_dead(directory: Path, dead: Callable[[str], bool]) -> int:
    """Give back what nobody holds and whose owner is `dead`; says how many there were."""
    released = 0
    for path in directory.glob("[0-9]*"):
        lock = _lock(path)
        if lock is None:
            continue
        owner = os.pread(lock, 4096, 0).decode()
        if owner and dead(owner):
            os.truncate(lock, 0)
            released += 1
        os.close(lock)
    return released


def _lock(path: Path) -> int | None:
    # The files stay, empty: unlinking a locked file lets two holders lock two files of one name.
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock
