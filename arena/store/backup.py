"""A whole store as one file, taken while it is used: a snapshot of its tables and their blobs.

    tables/<name>/<part>.jsonl    rows, a JSON object a line; a table has as many parts as it needs
    blobs/<key>                   each blob that a row names, unless it was removed on purpose
    manifest.json                 last: what the file holds, with a digest of each table's rows

as a tar file compressed with zstd. Nothing in it depends on the kind of database. The store's own
row is left out: whoever restores the file has another store, with an id of its own.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import zstandard
from sqlalchemy import RowMapping, Table, select
from sqlalchemy.orm import Session

from arena.store.blobs import BlobFolder
from arena.store.database import Database
from arena.store.errors import BackupFailed
from arena.store.files import sync_folder
from arena.store.records import BlobKey
from arena.store.schema import REVISION, Base, PrunedRow, StoreRow

FORMAT: Final = "arena-backup/1"
MANIFEST: Final = "manifest.json"
LEFT_OUT: Final = frozenset({StoreRow.__tablename__})

_ROWS: Final = 5000
"""In a part, so that no more than these are held in memory."""
_LEVEL: Final = 6


@dataclass(frozen=True, slots=True)
class TablePart:
    """What a manifest says of a table: how many rows, and the SHA-256 of all of their lines."""

    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds. `revision` is the step of the tables; `blob_bytes` are uncompressed.

    `blobs_digest` is the SHA-256 of the blobs' keys in alphabetical order.
    """

    revision: str
    created: str
    tables: Mapping[str, TablePart]
    blobs: int
    blob_bytes: int
    blobs_digest: str

    def written(self) -> bytes:
        """As it stands in the file."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1).encode() + b"\n"


def back_up(database: Database, blobs: BlobFolder, target: Path) -> Manifest:
    """Write everything into the new file `target`, for its owner alone: it holds seeds.

    The file is there whole or not at all. Raises BackupFailed if it can't be written, or is there
    already, or if a blob is missing or damaged.
    """
    with _new_file(target) as archive, blobs.held():
        with database.read() as session:
            tables, keys = _add_tables(session, archive)
            noted = keys.intersection(session.scalars(select(PrunedRow.blob)))
        # One that was removed may have been kept anew.
        keys -= {key for key in noted if not blobs.path(key).exists()}
        size = 0
        for key in sorted(keys):
            data = blobs.get(key)
            archive.add(f"blobs/{key}", data)
            size += len(data)
        manifest = Manifest(
            REVISION,
            datetime.now(UTC).isoformat(timespec="seconds"),
            tables,
            len(keys),
            size,
            digest_of_keys(keys),
        )
        archive.add(MANIFEST, manifest.written())
    return manifest


def digest_of_keys(keys: set[BlobKey]) -> str:
    """Stand for exactly these blobs."""
    return hashlib.sha256("".join(sorted(keys)).encode()).hexdigest()


class _Archive:
    """The file that is being written. What goes wrong with it is told apart from the store's."""

    def __init__(self, path: Path, shown: Path) -> None:
        self._shown = shown
        with self._told():
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._file = os.fdopen(handle, "wb")
        packer = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self._packed = packer.stream_writer(self._file, closefd=False)
        self._tar = tarfile.open(fileobj=self._packed, mode="w|")  # noqa: SIM115 - see finish

    def add(self, name: str, data: bytes) -> None:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = len(data), 0o600
        with self._told():
            self._tar.addfile(entry, io.BytesIO(data))

    def finish(self) -> None:
        """Everything is on the disk when this returns."""
        with self._told():
            self._tar.close()
            self._packed.close()  # type: ignore[no-untyped-call]
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        with suppress(OSError):
            self._file.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise _unwritable(self._shown, error) from None


@contextmanager
def _new_file(target: Path) -> Iterator[_Archive]:
    if target.exists():
        raise BackupFailed(f"{target} is there already: choose another name for the backup")
    part = target.with_name(f".{target.name}.{secrets.token_hex(8)}.part")
    archive = _Archive(part, target)
    try:
        yield archive
        archive.finish()
        try:
            part.rename(target)
            sync_folder(target.parent)
        except OSError as error:
            raise _unwritable(target, error) from None
    finally:
        archive.close()
        part.unlink(missing_ok=True)


def _unwritable(target: Path, error: OSError) -> BackupFailed:
    return BackupFailed(f"the backup {target} can't be written: {error.strerror or error}")


def _add_tables(session: Session, archive: _Archive) -> tuple[dict[str, TablePart], set[BlobKey]]:
    """All rows of one moment, and the blobs that they name."""
    tables: dict[str, TablePart] = {}
    keys: set[BlobKey] = set()
    for table in Base.metadata.sorted_tables:
        if table.name in LEFT_OUT:
            continue
        named = [column.name for column in table.columns if column.info.get("blob")]
        digest, count = hashlib.sha256(), 0
        for number, rows in enumerate(_parts(session, table)):
            data = b"".join(_line(row) for row in rows)
            archive.add(f"tables/{table.name}/{number}.jsonl", data)
            digest.update(data)
            count += len(rows)
            keys.update(row[name] for row in rows for name in named if row[name] is not None)
        tables[table.name] = TablePart(count, digest.hexdigest())
    return tables, keys


def _parts(session: Session, table: Table) -> Iterator[Sequence[RowMapping]]:
    rows = session.execute(select(table).order_by(*table.primary_key.columns)).mappings()
    yield from rows.yield_per(_ROWS).partitions()


def _line(row: RowMapping) -> bytes:
    written = {name: _written(value) for name, value in row.items()}
    return json.dumps(written, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _written(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case bytes():
            return value.hex()
        case _:
            return value
