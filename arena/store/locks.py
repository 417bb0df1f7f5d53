"""Locks between processes. The kernel drops them when their holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lock: a process, the machine that it runs on, and since when."""

    pid: int
    host: str
    since: datetime

    @classmethod
    def current(cls) -> Self:
        """This process, from now on."""
        return cls(os.getpid(), socket.gethostname(), datetime.now(UTC))

    @classmethod
    def read(cls, written: str) -> Self | None:
        """Whom a line from `written` names; None if it is none."""
        try:
            pid, host, since = written.split()
            return cls(int(pid), host, datetime.fromisoformat(since))
        except ValueError:
            return None

    def written(self) -> str:
        """All of it in a line."""
        return f"{self.pid} {self.host} {self.since.isoformat(timespec='seconds')}"

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} since {self.since:%Y-%m-%d %H:%M:%S} UTC"


class LockHeld(Exception):
    """Somebody else holds the lock; `holder` is None if they haven't written yet who they are."""

    def __init__(self, holder: Holder | None) -> None:
        super().__init__(f"held by {holder or 'another process'}")
        self.holder = holder


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock file `path` alone; raises LockHeld at once if another holder is alive.

    The file stays behind: removing it would let two holders lock two files of one name.
    """
    handle = _open(path)
    try:
        if not _try(handle, fcntl.LOCK_EX):
            raise LockHeld(Holder.read(os.pread(handle, 1024, 0).decode(errors="replace")))
        os.ftruncate(handle, 0)
        os.pwrite(handle, Holder.current().written().encode(), 0)
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
