"""The one place where foreign exceptions become StoreErrors."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    SQLAlchemyError,
    StatementError,
)

from arena.store.errors import (
    Conflict,
    InvalidRecord,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreNotWritable,
    StoreUnavailable,
)

_NO_ROOM = 256 * 1024
"""Bytes. SQLite reports a full disk in several ways (it can't open its journal, it can't map its
index); with less than this free, the disk is what is wrong."""


@contextmanager
def translated(folder: Path) -> Iterator[None]:
    """Turn whatever the database or the file system raises inside into a StoreError."""
    try:
        yield
    except (SQLAlchemyError, UnicodeError, OverflowError, OSError) as error:
        raise _translation(error, folder) from error


def _translation(error: Exception, folder: Path) -> StoreError:
    match error:
        case IntegrityError():
            return Conflict(
                f"the store at {folder} refused a record that contradicts what it holds "
                f"({_first_line(error.orig)}): nothing was changed"
            )
        case DBAPIError():
            return _from_database(error.orig or error, folder)
        case StatementError() | UnicodeError() | OverflowError():
            cause = error.orig if isinstance(error, StatementError) else error
            return InvalidRecord(f"the store can't hold such a value: {_first_line(cause)}")
        case OSError():
            return _from_system(error, folder)
        case _:
            return _failed(error, folder)


def _from_database(cause: BaseException, folder: Path) -> StoreError:
    code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreLocked(
                f"the store at {folder} is held by another process: "
                "try again when that one has ended"
            )
        case sqlite3.SQLITE_FULL:
            return _full(folder)
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR if _without_room(folder):
            return _full(folder)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return _not_writable(folder, _first_line(cause))
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return StoreDamaged(
                f"the database of the store at {folder} is damaged ({_first_line(cause)}): "
                "move the folder away and start anew, or put a backup in its place"
            )
        case _:
            return _failed(cause, folder)


def _from_system(error: OSError, folder: Path) -> StoreError:
    why = error.strerror or str(error)
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return _full(folder)
        case (
            errno.EACCES
            | errno.EPERM
            | errno.EROFS
            | errno.ENOENT
            | errno.ENOTDIR
            | errno.EEXIST
            | errno.ELOOP
            | errno.ENAMETOOLONG
        ):
            return _not_writable(folder, f"{why}: {error.filename}" if error.filename else why)
        case _:
            return _failed(error, folder)


def _full(folder: Path) -> StoreFull:
    return StoreFull(
        f"no space is left for the store at {folder}: free some and run this again; "
        "what was recorded before is safe"
    )


def _not_writable(folder: Path, why: str) -> StoreNotWritable:
    return StoreNotWritable(
        f"the store at {folder} can't be written ({why}): "
        "check the folder's owner and rights, or set ARENA_HOME to another folder"
    )


def _failed(cause: BaseException, folder: Path) -> StoreUnavailable:
    return StoreUnavailable(
        f"the store at {folder} failed ({_first_line(cause)}): "
        "check the disk with `arena doctor` and try again"
    )


def _first_line(cause: BaseException | None) -> str:
    return next(iter(str(cause).splitlines()), type(cause).__name__)


def _without_room(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < _NO_ROOM
    except OSError:
        return False
