"""The one place where foreign exceptions become StoreErrors."""

from __future__ import annotations

import errno
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

from arena.store import postgresql, sqlite
from arena.store.errors import Conflict, InvalidRecord, StoreError
from arena.store.explain import failed, first_line, full, not_writable


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
                f"({first_line(error.orig)}): nothing was changed"
            )
        case StatementError(orig=StoreError() as ours):
            return ours
        case DBAPIError():
            return _from_database(error.orig or error, folder)
        case StatementError() | UnicodeError() | OverflowError():
            return _unfit((error.orig or error) if isinstance(error, StatementError) else error)
        case OSError():
            return _from_system(error, folder)
        case _:
            return failed(error, folder)


def _unfit(cause: BaseException) -> StoreError:
    match cause:
        case UnicodeEncodeError():
            return InvalidRecord(f"{cause.object[:40]!a} is no text: write it in UTF-8")
        case OverflowError():
            return InvalidRecord("the store can't hold such a value: a number is too large")
        case _:
            return InvalidRecord(f"the store can't hold such a value: {first_line(cause)}")


def _from_database(cause: BaseException, folder: Path) -> StoreError:
    if isinstance(cause, sqlite3.Error):
        return sqlite.explained(cause, folder)
    # The driver is not imported where it isn't used, so it is known by its name.
    if type(cause).__module__.partition(".")[0] == "psycopg":
        return postgresql.explained(cause, folder)
    return failed(cause, folder)


def _from_system(error: OSError, folder: Path) -> StoreError:
    why = error.strerror or str(error)
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return full(folder)
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
            return not_writable(folder, f"{why}: {error.filename}" if error.filename else why)
        case _:
            return failed(error, folder)
