"""Who is alive: one lock for a run of the arena, one for each of its processes.

    <runtime>/<instance>/lock              held shared by every process of the run
    <runtime>/<instance>/<process>/lock    held alone by that process
    <runtime>/<instance>/<process>/<n>     what its n-th bot needs on the host

The kernel lets go of a lock when its holder dies, however it dies, so a free lock is the proof of
death that cleaning up needs (`reap`); no wall clock and no heartbeat takes part.
"""

import fcntl
import hashlib
import itertools
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from arena.sandbox.errors import SandboxFailed

LABEL_PREFIX: Final = "claim-arena."
LOCK: Final = "lock"


class Instance:
    """One process's membership in one run of the arena; closing it ends the membership."""

    def __init__(self, path: Path, run_lock: int, store_id: str) -> None:
        """Use `create` or `join`."""
        self.path = path
        self.store_id = store_id
        self._run_lock = run_lock
        self._numbers = itertools.count(1)
        self._open = True
        self.folder, self._own_lock = _new_locked_folder(path, 4, fcntl.LOCK_EX)

    @classmethod
    def create(cls, runtime_dir: Path, store_id: str) -> Self:
        """Begin a run of the store `store_id`, whose runtime folder is made if it is missing."""
        runtime_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        path, lock = _new_locked_folder(runtime_dir.resolve(), 6, fcntl.LOCK_SH, store_id)
        return cls(path, lock, store_id)

    @classmethod
    def join(cls, path: Path) -> Self:
        """Join the run at `path` from another process of it, such as a match worker.

        Raises `SandboxFailed` if that run has ended.
        """
        lock = take_lock(path / LOCK, fcntl.LOCK_SH)
        if lock is None:
            raise SandboxFailed(f"the run {path.name} has ended, so no worker can join it")
        return cls(path, lock, os.pread(lock, 4096, 0).decode())

    @property
    def id(self) -> str:
        """The run's id, the same in all of its processes."""
        return self.path.name

    def labels(self) -> dict[str, str]:
        """What marks a container as belonging to this process of this run."""
        return {
            **store_labels(self.path.parent, self.store_id),
            LABEL_PREFIX + "instance": self.id,
            LABEL_PREFIX + "process": self.folder.name,
        }

    def next_number(self) -> int:
        """A number for the next bot; never given twice, so no path of a bot is used twice."""
        return next(self._numbers)

    def close(self) -> None:
        """End this process's membership; the last one to leave removes the run's folder.

        Whatever a bot left behind keeps the folder, for `reap` to deal with.
        """
        if not self._open:
            return
        self._open = False
        if _holds_only_its_lock(self.folder):
            _remove_locked_folder(self.folder)
        os.close(self._own_lock)
        if _holds_only_its_lock(self.path) and _try_lock(self._run_lock, fcntl.LOCK_EX):
            _remove_locked_folder(self.path)
        os.close(self._run_lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def store_labels(runtime_dir: Path, store_id: str) -> dict[str, str]:
    """What marks a container as belonging to any run of this store in this runtime folder.

    The folder takes part because a copied store keeps its id: its runs are not ours to clean.
    """
    place = hashlib.sha256(os.fsencode(runtime_dir.resolve())).hexdigest()[:16]
    return {LABEL_PREFIX + "store": store_id, LABEL_PREFIX + "runtime": place}


def take_lock(path: Path, kind: int) -> int | None:
    """Lock the file and return its descriptor; None if it is missing or held by another."""
    try:
        lock = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if _try_lock(lock, kind) and _is_still(lock, path):
        return lock
    os.close(lock)
    return None


def if_dead(folder: Path, clean: Callable[[], bool]) -> bool:
    """Call `clean` if nobody holds the folder's lock, and remove the folder if it returns True.

    Says whether nobody held it. The lock is ours meanwhile, so nobody joins and nobody else cleans.
    """
    lock = take_lock(folder / LOCK, fcntl.LOCK_EX)
    if lock is None:
        return False
    try:
        if clean() and _holds_only_its_lock(folder):
            _remove_locked_folder(folder)
    finally:
        os.close(lock)
    return True


def _new_locked_folder(parent: Path, length: int, kind: int, text: str = "") -> tuple[Path, int]:
    """Make a folder of a random name with a lock in it, and hold the lock."""
    while True:
        folder = parent / secrets.token_hex(length)
        folder.mkdir(mode=0o700)
        path = folder / LOCK
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        # A cleaner may come between these two lines and take the folder for a dead one.
        if _try_lock(lock, kind) and _is_still(lock, path):
            os.pwrite(lock, text.encode(), 0)
            return folder, lock
        os.close(lock)


def _try_lock(lock: int, kind: int) -> bool:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_still(lock: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(lock), path.stat())
    except FileNotFoundError:
        return False


def _holds_only_its_lock(folder: Path) -> bool:
    return {entry.name for entry in folder.iterdir()} == {LOCK}


def _remove_locked_folder(folder: Path) -> None:
    (folder / LOCK).unlink()
    folder.rmdir()
