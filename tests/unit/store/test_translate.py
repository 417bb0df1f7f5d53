"""Foreign exceptions become StoreErrors of one line each."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    IntegrityError,
    OperationalError,
    StatementError,
)

from arena.store import (
    Conflict,
    InvalidRecord,
    NotFound,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreNotWritable,
    StoreUnavailable,
)
from arena.store.translate import translated

HERE = Path("/")


def _sqlite(code: int) -> OperationalError:
    cause = sqlite3.OperationalError("what SQLite says\nand more")
    cause.sqlite_errorcode = code
    return OperationalError("INSERT ...", {}, cause)


def _system(number: int) -> OSError:
    return OSError(number, os.strerror(number), "/some/file")


@pytest.mark.parametrize(
    ("foreign", "ours"),
    [
        (_sqlite(sqlite3.SQLITE_BUSY), StoreLocked),
        (_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), StoreLocked),
        (_sqlite(sqlite3.SQLITE_LOCKED), StoreLocked),
        (_sqlite(sqlite3.SQLITE_FULL), StoreFull),
        (_sqlite(sqlite3.SQLITE_READONLY), StoreNotWritable),
        (_sqlite(sqlite3.SQLITE_CANTOPEN), StoreNotWritable),
        (_sqlite(sqlite3.SQLITE_CORRUPT), StoreDamaged),
        (_sqlite(sqlite3.SQLITE_NOTADB), StoreDamaged),
        (_sqlite(sqlite3.SQLITE_IOERR), StoreUnavailable),
        (_sqlite(sqlite3.SQLITE_ERROR), StoreUnavailable),
        (OperationalError("", {}, Exception("no sqlite")), StoreUnavailable),
        (IntegrityError("", {}, Exception("UNIQUE constraint failed")), Conflict),
        (DataError("", {}, Exception("too long")), StoreUnavailable),
        (StatementError("", "", {}, ValueError("not JSON")), InvalidRecord),
        (OverflowError("too large"), InvalidRecord),
        (UnicodeEncodeError("utf-8", "\udc80", 0, 1, "surrogate"), InvalidRecord),
        (ArgumentError("anything else of SQLAlchemy's"), StoreUnavailable),
        (_system(errno.ENOSPC), StoreFull),
        (_system(errno.EDQUOT), StoreFull),
        (_system(errno.EACCES), StoreNotWritable),
        (_system(errno.EROFS), StoreNotWritable),
        (_system(errno.ENOTDIR), StoreNotWritable),
        (_system(errno.EIO), StoreUnavailable),
        (OSError("without a number"), StoreUnavailable),
    ],
    ids=lambda value: getattr(value, "__name__", None) or f"{value!s:.50}",
)
def test_each_foreign_error_has_its_own(foreign: Exception, ours: type[StoreError]) -> None:
    """In one printable line, with the cause behind it for the log."""
    with pytest.raises(StoreError) as raised, translated(HERE):
        raise foreign
    assert type(raised.value) is ours
    assert str(raised.value).isprintable()
    assert raised.value.__cause__ is foreign


@pytest.mark.parametrize(
    "error", [NotFound("x"), KeyError("a defect of ours"), KeyboardInterrupt()]
)
def test_nothing_else_is_touched(error: BaseException) -> None:
    """Our own errors pass, and so do defects, which must not look like a broken disk."""
    with pytest.raises(type(error)) as raised, translated(HERE):
        raise error
    assert raised.value is error
