"""Replays, logs and archives: bytes named by their SHA-256, never changed once written.

Whoever keeps one marks it as fresh, and removing leaves fresh ones alone; so one that is put again
just when it was to go stays.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.store.errors import NotFound, StoreDamaged
from arena.store.files import make_folders, sync_folder
from arena.store.records import BlobKey

_KEY = re.compile(r"[0-9a-f]{64}")


class BlobFolder:
    """Blobs as files in 256 sub-folders. Safe to share between threads and processes.

    A blob is there whole or not at all, also after a power cut: it is written to `tmp/` and
    synced, then renamed, then its folder is synced. What the file system says comes out as it is,
    as OSError.
    """

    def __init__(self, folder: Path) -> None:
        """Make `folder` and what it needs inside."""
        self.folder = folder
        self._tmp = folder / "tmp"
        # All sub-folders at once, so that none has to be made durable while others use it.
        make_folders([folder, self._tmp, *(folder / f"{i:02x}" for i in range(256))])

    def put(self, data: bytes) -> BlobKey:
        """Keep `data`; when this returns, it is on the disk."""
        return self.put_all([data])[0]

    def put_all(self, blobs: Iterable[bytes]) -> list[BlobKey]:
        """Keep all of `blobs`, with fewer syncs than one by one."""
        keys = []
        touched = set()
        with self.held():
            for data in blobs:
                key = hashlib.sha256(data).hexdigest()
                path = self.path(key)
                if not _holds(path, data):
                    self._write(path, data)
                # Also for one that was there: its writer may have died before this step.
                touched.add(path.parent)
                keys.append(key)
            for folder in touched:
                sync_folder(folder)
        return keys

    def get(self, key: BlobKey) -> bytes:
        """The blob's bytes. Raises NotFound, and StoreDamaged if they are not what was put in."""
        path = self.path(key)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise NotFound(f"the store has no blob {key}: put a backup of {path} there") from None
        if hashlib.sha256(data).hexdigest() != key:
            raise StoreDamaged(f"{path} is damaged: put a backup of it in its place")
        return data

    def path(self, key: BlobKey) -> Path:
        """Where the blob lies or would lie. Raises NotFound if `key` is no key."""
        if not _KEY.fullmatch(key):
            raise NotFound(f"{key!r} is no blob key: a key is 64 hexadecimal digits")
        return self.folder / key[:2] / key

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nothing is removed meanwhile."""
        handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(handle, fcntl.LOCK_SH)
            yield
        finally:
            os.close(handle)

    def keys(self) -> Iterator[BlobKey]:
        """All blobs that are there, in no order."""
        for folder in self.folder.iterdir():
            if folder != self._tmp:
                yield from (path.name for path in folder.iterdir())

    def remove(self, keys: Iterable[BlobKey], *, fresh: float) -> int:
        """Remove those of `keys` that nobody put within the last `fresh` seconds; counts them.

        Waits until nobody holds them. One that isn't there is none.
        """
        removed = 0
        for key in keys:
            handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                if self.is_stale(key, fresh):
                    self.path(key).unlink()
                    removed += 1
            finally:
                os.close(handle)
        return removed

    def is_stale(self, key: BlobKey, fresh: float) -> bool:
        """Whether it is there, and nobody put it within the last `fresh` seconds."""
        try:
            return time.time() - self.path(key).stat().st_mtime >= fresh
        except FileNotFoundError:
            return False

    def sweep(self) -> None:
        """Remove what killed writers left behind. Only while no other process writes."""
        for left in self._tmp.iterdir():
            left.unlink()

    def _write(self, path: Path, data: bytes) -> None:
        tmp = self._tmp / secrets.token_hex(16)
        try:
            with tmp.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            tmp.replace(path)
        except BaseException:
            tmp.unlink(missing_ok=True)
            raise


def _holds(path: Path, data: bytes) -> bool:
    """Whether `path` has exactly `data`, fresh again; a damaged one is worth writing anew."""
    try:
        os.utime(path)
        return path.read_bytes() == data
    except FileNotFoundError:
        return False
