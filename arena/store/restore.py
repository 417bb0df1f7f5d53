"""What `backup` wrote, checked to the last byte and put into an empty store.

A backup that an older program wrote is brought up to date; one may be put into another kind of
database than it came from.
"""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

import zstandard
from sqlalchemy import (
    JSON,
    Column,
    Connection,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    func,
    select,
    text,
)
from sqlalchemy.orm import Session

from arena.store.backup import FORMAT, LEFT_OUT, MANIFEST, Manifest, TablePart, digest_of_keys
from arena.store.blobs import BlobFolder
from arena.store.database import Database
from arena.store.errors import BackupFailed, StoreLocked, StoreNotEmpty
from arena.store.explain import first_line
from arena.store.files import make_folder
from arena.store.locks import UseLock
from arena.store.migrate import migrate, steps, upgrade
from arena.store.opening import chosen_database, default_folder, prepare
from arena.store.records import BlobKey
from arena.store.schema import REVISION, Base
from arena.store.translate import translated

_CHUNK: Final = 1 << 20


def check(source: Path) -> Manifest:
    """Read the whole file and compare every digest. Raises BackupFailed."""
    found = _Found()
    for member in _members(source):
        if member.name == MANIFEST:
            manifest = _manifest(source, member.read())
            break
        found.take(member)
    else:
        raise _damaged(source, "its end is missing")
    if manifest.revision not in steps():
        raise BackupFailed(
            f"{source} was written by a newer version of this program (its tables are at step "
            f"{manifest.revision}, ours at {REVISION}): upgrade the program"
        )
    if not found.is_all_of(manifest):
        raise _damaged(source, "what it holds is not what it says")
    return manifest


def restore(source: Path, folder: Path | None = None, *, busy_timeout: float = 30.0) -> Manifest:
    """Put a backup into the empty store in `folder`, as Store.open chooses it, made if need be.

    Raises BackupFailed, StoreNotEmpty, StoreLocked if a process has the store open, and what
    Store.open raises. Nothing is in the store then, and a restore can be begun again.
    """
    manifest = check(source)
    folder = (folder or default_folder()).absolute()
    with translated(folder), ExitStack() as opened:
        make_folder(folder / "run")
        blobs = BlobFolder(folder / "blobs")
        use = opened.enter_context(closing(UseLock(folder / "run" / "store.lock")))
        database = opened.enter_context(
            closing(Database(chosen_database(folder), folder, busy_timeout=busy_timeout))
        )
        id_ = prepare(database, blobs, use, patience=busy_timeout)
        with database.read() as session:
            _require_empty(session, folder)
        if not use.try_alone():
            raise StoreLocked(
                f"the store at {folder} is open in another process: stop that one first"
            )
        with database.write() as session:
            _require_empty(session, folder)
            _refill(session, blobs, source, manifest, id_)
    return manifest


def _refill(
    session: Session, blobs: BlobFolder, source: Path, manifest: Manifest, id_: str
) -> None:
    """Put it all in place of what an empty store holds, which then has the id `id_`.

    All rows or, if anything is raised, none; blobs that no row names do no harm.
    """
    connection = session.connection()
    Base.metadata.drop_all(connection)
    connection.execute(text("DROP TABLE alembic_version"))
    upgrade(session, manifest.revision)
    tables = MetaData()
    tables.reflect(connection)
    for member in _members(source):
        match member.name.split("/"):
            case ["tables", table, _]:
                _insert(connection, tables.tables[table], member.read())
            case ["blobs", key] if blobs.put(member.read()) != key:
                raise _damaged(source, "it has changed meanwhile")
    if connection.dialect.name == "postgresql":
        _count_on(connection, tables)
    migrate(session, new_id=id_)


def _require_empty(session: Session, folder: Path) -> None:
    """Raises StoreNotEmpty, if somebody has put anything into the store."""
    for table in Base.metadata.sorted_tables:
        if table.name in LEFT_OUT:
            continue
        if session.execute(select(table).limit(1)).first() is not None:
            raise StoreNotEmpty(
                f"the store at {folder} holds something already ({table.name}): set ARENA_HOME to "
                "a new folder and, if you use it, ARENA_DATABASE to an empty database"
            )


@dataclass
class _Found:
    """What a file turns out to hold."""

    digests: dict[str, Any] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    keys: set[BlobKey] = field(default_factory=set)
    blob_bytes: int = 0

    def take(self, member: _Member) -> None:
        match member.name.split("/"):
            case ["tables", table, _]:
                data = member.read()
                self.digests.setdefault(table, hashlib.sha256()).update(data)
                self.rows[table] = self.rows.get(table, 0) + data.count(b"\n")
            case ["blobs", key]:
                digest = hashlib.sha256()
                while chunk := member.read(_CHUNK):
                    digest.update(chunk)
                    self.blob_bytes += len(chunk)
                if digest.hexdigest() != key:
                    raise _damaged(member.source, f"the blob {key} is not what it was")
                self.keys.add(key)
            case _:
                raise _foreign(member.source)

    def is_all_of(self, manifest: Manifest) -> bool:
        nothing = hashlib.sha256().hexdigest()
        held = {
            name: TablePart(self.rows[name], digest.hexdigest())
            for name, digest in self.digests.items()
        }
        told = {name: part for name, part in manifest.tables.items() if part.digest != nothing}
        blobs = (len(self.keys), self.blob_bytes, digest_of_keys(self.keys))
        return held == told and blobs == (
            manifest.blobs,
            manifest.blob_bytes,
            manifest.blobs_digest,
        )


@dataclass(frozen=True, slots=True)
class _Member:
    """A file within a backup. Reading raises BackupFailed."""

    source: Path
    name: str
    file: IO[bytes]

    def read(self, most: int = -1) -> bytes:
        with _readable(self.source):
            return self.file.read(most)


@contextmanager
def _readable(source: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, zstandard.ZstdError, EOFError) as error:
        raise _damaged(source, first_line(error)) from None
    except OSError as error:
        raise BackupFailed(f"{source} can't be read: {error.strerror or error}") from None


def _members(source: Path) -> Iterator[_Member]:
    """Each file within, in order; to be read before the next one. Raises BackupFailed."""
    with _readable(source), source.open("rb") as packed:
        if packed.read(4) != zstandard.FRAME_HEADER:
            raise _foreign(source)
        packed.seek(0)
        with (
            zstandard.ZstdDecompressor().stream_reader(packed) as unpacked,
            tarfile.open(fileobj=unpacked, mode="r|") as tar,
        ):
            for entry in tar:
                file = tar.extractfile(entry) if entry.isreg() else None
                if file is None:
                    raise _foreign(source)
                yield _Member(source, entry.name, file)


def _manifest(source: Path, written: bytes) -> Manifest:
    try:
        said = json.loads(written)
        if said.pop("format") != FORMAT:
            raise _foreign(source)
        said["tables"] = {name: TablePart(**part) for name, part in said["tables"].items()}
        return Manifest(**said)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise _foreign(source) from None


def _insert(connection: Connection, table: Table, lines: bytes) -> None:
    readers = {column.name: _reader(column) for column in table.columns}
    rows = [
        {name: None if value is None else readers[name](value) for name, value in row.items()}
        for row in map(json.loads, lines.splitlines())
    ]
    if rows:
        connection.execute(table.insert(), rows)


def _reader(column: Column[Any]) -> Callable[[Any], Any]:
    match column.type:
        case JSON() as kind:
            kind.none_as_null = True  # nothing is nothing, and not JSON's null
            return lambda value: value
        case DateTime():
            return lambda value: datetime.fromisoformat(value).astimezone(UTC)
        case LargeBinary():
            return bytes.fromhex
        case _:
            return lambda value: value


def _count_on(connection: Connection, tables: MetaData) -> None:
    """Let PostgreSQL number what comes next behind what was put in."""
    for table in tables.sorted_tables:
        for column in table.primary_key.columns:
            sequence = connection.scalar(
                text("SELECT pg_get_serial_sequence(:table, :column)"),
                {"table": table.name, "column": column.name},
            )
            last = connection.scalar(select(func.max(column))) if sequence else None
            if last is not None and isinstance(column.type, Integer):
                connection.execute(select(func.setval(sequence, last)))


def _foreign(source: Path) -> BackupFailed:
    return BackupFailed(f"{source} is no backup of an arena: name a file that `arena backup` wrote")


def _damaged(source: Path, why: str) -> BackupFailed:
    return BackupFailed(f"{source} is damaged or was cut off ({why}): take another backup")
