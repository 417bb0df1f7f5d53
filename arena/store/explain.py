"""Sentences for failures that every kind of database, and the file system, can have."""

from __future__ import annotations

import shutil
from pathlib import Path

from arena.store.errors import StoreFull, StoreNotWritable, StoreUnavailable

_NO_ROOM = 256 * 1024
"""Bytes. SQLite reports a full disk in several ways (it can't open its journal, it can't map its
index); with less than this free, the disk is what is wrong."""


def full(folder: Path) -> StoreFull:
    """Say that there is no space left."""
    return StoreFull(
        f"no space is left for the store at {folder}: free some and run this again; "
        "what was recorded before is safe"
    )


def not_writable(folder: Path, why: str) -> StoreNotWritable:
    """Say that the folder can't be written."""
    return StoreNotWritable(
        f"the store at {folder} can't be written ({why}): "
        "check the folder's owner and rights, or set ARENA_HOME to another folder"
    )


def failed(cause: BaseException, folder: Path) -> StoreUnavailable:
    """Say what failed in a way that nobody foresaw."""
    return StoreUnavailable(
        f"the store at {folder} failed ({first_line(cause)}): "
        "check the disk with `arena doctor` and try again"
    )


def first_line(cause: BaseException | None) -> str:
    """The first line of an error's text, or its name if it has none."""
    return next(iter(str(cause).splitlines()), type(cause).__name__)


def without_room(folder: Path) -> bool:
    """Whether the disk is so full that this is what is wrong."""
    try:
        return shutil.disk_usage(folder).free < _NO_ROOM
    except OSError:
        return False
