"""A user id of its own for every running bot, unique on the machine.

Quotas for inotify, pipes and processes count by user id and leak across containers, so two bots
must never share one, not even bots of two arenas on one machine (SECURITY, finding 6). A file for
each id is locked while its bot lives and names its owner. A file that names an owner but is not
locked belongs to a bot that may still run after its arena died: it is skipped until `reap` knows.
"""

import fcntl
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

from arena.sandbox.errors import SandboxFailed

MACHINE_UIDS: Final = Path("/run/claim-arena/uids")
"""Shared by all arenas of a machine, unlike everything else that an instance owns."""

# Above everything that systemd, useradd and /etc/subuid hand out, and below docker's limit of 2^31.
_FIRST: Final = 1_900_000_000
_COUNT: Final = 10_000


class UidLease:
    """A user id that nobody else on this machine uses until it is released."""

    def __init__(self, uid: int, lock: int) -> None:
        """Use `acquire`."""
        self.uid = uid
        self._lock = lock

    @classmethod
    def acquire(cls, directory: Path, owner: str) -> Self:
        """Take a free id; `owner` tells `release_dead` whose it was if this process dies."""
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        start = secrets.randbelow(_COUNT)
        for step in range(_COUNT):
            uid = _FIRST + (start + step) % _COUNT
            lock = _lock(directory / str(uid))
            if lock is None:
                continue
            if os.fstat(lock).st_size == 0:
                os.pwrite(lock, owner.encode(), 0)
                return cls(uid, lock)
            os.close(lock)
        raise SandboxFailed(f"all {_COUNT} user ids for bots are taken: look into {directory}")

    def release(self) -> None:
        """Give the id back: its bot is gone for certain."""
        os.truncate(self._lock, 0)
        os.close(self._lock)

    def abandon(self) -> None:
        """Leave the id marked as taken, because its bot may still run; `reap` gives it back."""
        os.close(self._lock)


def release_dead(directory: Path, dead: Callable[[str], bool]) -> int:
    """Give back the ids that nobody holds and whose owner is `dead`; says how many there were."""
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
