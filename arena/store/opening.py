"""Finding a store's folder and making what lies in it fit for use."""

from __future__ import annotations

import os
import secrets
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sqlalchemy import URL, inspect, make_url, select, text
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import Session

from arena.store.blobs import BlobFolder
from arena.store.database import Database
from arena.store.errors import (
    StoreForeign,
    StoreLocked,
    StoreNotWritable,
    StoreTooNew,
    StoreUnusable,
)
from arena.store.files import touch, write_once
from arena.store.locks import UseLock
from arena.store.postgresql import elsewhere
from arena.store.schema import REVISION, StoreRow

DATABASE_VARIABLE: Final = "ARENA_DATABASE"
"""The setting that names a PostgreSQL database; without it the store has an SQLite file."""

_PAUSE = 0.05
"""Seconds between two looks whether somebody else has finished preparing the store."""


def default_folder() -> Path:
    """ARENA_HOME, else `claim-arena` where this user's programs keep their data.

    Raises StoreNotWritable, if that depends on a home folder and there is none.
    """
    try:
        return _wanted_folder()
    except RuntimeError:
        raise StoreNotWritable(
            "this user has no home folder: set ARENA_HOME to a folder for the store"
        ) from None


def _wanted_folder() -> Path:
    home = os.environ.get("ARENA_HOME")
    if home:
        return Path(home).expanduser()
    data = Path(os.environ.get("XDG_DATA_HOME", ""))
    if not data.is_absolute():  # the XDG specification: ignore it then
        if not os.environ.get("HOME", "/").startswith("/"):  # the root would be taken for it
            raise RuntimeError("HOME is no folder's path")
        data = Path.home() / ".local" / "share"
    return data / "claim-arena"


def chosen_database(folder: Path) -> URL:
    """The database that ARENA_DATABASE names, else the file of the store in `folder`.

    Raises StoreUnusable for a setting that makes no sense, without repeating a password.
    """
    told = os.environ.get(DATABASE_VARIABLE)
    if not told:
        file = folder / "arena.db"
        touch(file)
        return URL.create("sqlite", database=str(file))
    try:
        url = make_url(told)
    except ArgumentError:
        url = None
    if url is None or url.drivername not in {"postgresql", "postgres", "postgresql+psycopg"}:
        raise StoreUnusable(
            f"{DATABASE_VARIABLE} is written postgresql://user:password@host:port/name, or left "
            "out for an SQLite file in ARENA_HOME"
        )
    if find_spec("psycopg") is None:
        raise StoreUnusable(
            f"{DATABASE_VARIABLE} needs the driver for PostgreSQL: "
            "pip install 'claim-arena[postgres]'"
        )
    return url.set(drivername="postgresql+psycopg")


def prepare(database: Database, blobs: BlobFolder, use: UseLock, *, patience: float) -> str:
    """Bring the store up to date and hold `use` shared. Returns the store's id.

    Tables change, and left-over files go, only while nobody else has the store open.
    Raises StoreForeign, StoreTooNew, and StoreLocked after `patience` seconds.
    """
    deadline = time.monotonic() + patience
    while not (_prepare_alone(database, blobs, use) or _prepared_by_others(database, use)):
        if time.monotonic() > deadline:
            raise StoreLocked(
                f"the store at {database.folder} is held by a process of another version of this "
                "program: try again when that one has ended"
            )
        time.sleep(_PAUSE)
    with database.read() as session:
        found = session.scalars(select(StoreRow.id)).one()
    if database.apart and found != _own_id(database):
        raise elsewhere(database.folder)
    return found


def _prepare_alone(database: Database, blobs: BlobFolder, use: UseLock) -> bool:
    if not use.try_alone():
        return False
    if not _is_current(database):
        from arena.store.migrate import migrate  # noqa: PLC0415

        with database.write() as session:
            migrate(session, new_id=_own_id(database))
    blobs.sweep()
    use.share()
    return True


def _own_id(database: Database) -> str:
    """The id that the folder's store has or, if it is new, will have.

    For a database that lies elsewhere it is kept in the folder, so that the two can be told to
    belong together, and before the database gets it: whoever is killed in between goes on with it.
    """
    fresh = secrets.token_hex(16)
    return write_once(database.folder / "store.id", fresh) if database.apart else fresh


def _prepared_by_others(database: Database, use: UseLock) -> bool:
    if not use.try_shared():
        return False
    if _is_current(database):
        return True
    use.release()
    return False


def _is_current(database: Database) -> bool:
    """Whether the tables are the newest. Raises StoreForeign, StoreTooNew."""
    with database.read() as session:
        found = _revision(session, database.folder)
    if found in {None, REVISION}:
        return found is not None
    from arena.store.migrate import steps  # noqa: PLC0415

    if found not in steps():
        raise StoreTooNew(
            f"the store at {database.folder} was written by a newer version of this program "
            f"(its tables are at step {found}, ours at {REVISION}): upgrade the program"
        )
    return False


def _revision(session: Session, folder: Path) -> str | None:
    """The migration that the database has reached; None if it is empty."""
    tables = set(inspect(session.connection()).get_table_names())
    if not tables:
        return None
    found: str | None = None
    if {"alembic_version", StoreRow.__tablename__} <= tables:
        found = session.scalar(text("SELECT version_num FROM alembic_version"))
    if found is None:
        raise StoreForeign(
            f"the database of the store at {folder} belongs to some other program: "
            "set ARENA_HOME to another folder"
        )
    return found
