"""Locks between processes. The kernel drops them when their holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class LockHeld(Exception):
    """Somebody else holds the lock; `pid` is theirs, or None if they haven't written it yet."""

    def __init__(self, pid: int | None) -> None:
        super().__init__(f"held by process {pid}")
        self.pid = pid


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock file `path` alone; raises LockHeld at once if another holder is alive.

    The file stays behind: removing it would let two holders lock two files of one name.
    """
    handle = _open(path)
    try:
        if not _try(handle, fcntl.LOCK_EX):
            raise LockHeld(_pid(os.pread(handle, 32, 0)))
        os.ftruncate(handle, 0)
        os.pwrite(handle, b"%d\n" % os.getpid(), 0)
        yield
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


class UseLock:
    """Held shared by all who use something, and alone by whoever prepares it for use."""

    def __init__(self, path: Path) -> None:
        """Open the lock file `path`; nothing is held yet."""
        self._handle = _open(path)

    def try_alone(self) -> bool:
        """Hold it alone, if nobody else holds it."""
        return _try(self._handle, fcntl.LOCK_EX)

    def try_shared(self) -> bool:
        """Hold it shared, if nobody holds it alone."""
        return _try(self._handle, fcntl.LOCK_SH)

    def share(self) -> None:
        """Hold it shared; waits for whoever holds it alone."""
        fcntl.flock(self._handle, fcntl.LOCK_SH)

    def release(self) -> None:
        """Hold it no longer; it can be held again."""
        fcntl.flock(self._handle, fcntl.LOCK_UN)

    def close(self) -> None:
        """Hold it no longer, for good."""
        os.close(self._handle)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def _try(handle: int, how: int) -> bool:
    try:
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _pid(written: bytes) -> int | None:
    return int(written) if written.strip().isdigit() else None
