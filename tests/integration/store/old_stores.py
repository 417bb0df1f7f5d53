"""Stores as the programs of their time left them: their rows lie in `older`, a file a step.

Each file was written by the program that had this step as its newest, through its own store.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import (
    JSON,
    Column,
    Connection,
    DateTime,
    LargeBinary,
    MetaData,
    create_engine,
    func,
    select,
    text,
)

from arena.store.blobs import BlobFolder
from arena.store.opening import chosen_database

OLDER = Path(__file__).parent / "older"
REVISIONS = sorted(file.stem for file in OLDER.glob("*.json"))


def old_store(folder: Path, revision: str) -> None:
    """Put the store of that step in `folder` and in the database that ARENA_DATABASE names."""
    written = json.loads((OLDER / f"{revision}.json").read_text())
    folder.mkdir(exist_ok=True)
    BlobFolder(folder / "blobs").put_all(blob.encode() for blob in written["blobs"])
    engine = create_engine(chosen_database(folder))
    with engine.begin() as connection:
        upgrade(connection, revision)
        _insert(connection, written["tables"])
        if connection.dialect.name == "postgresql":
            (folder / "store.id").write_text(written["tables"]["store"][0]["id"])
    engine.dispose()


def upgrade(connection: Connection, revision: str) -> None:
    """Bring an empty database to the tables of that step."""
    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _insert(connection: Connection, rows_of: dict[str, list[dict[str, Any]]]) -> None:
    tables = MetaData()
    tables.reflect(connection)
    for table in tables.sorted_tables:
        rows = rows_of.get(table.name, [])
        for row in rows:
            # What the program didn't write is missing: a row must have every column of its time.
            assert set(row) == set(table.columns.keys())
            read = {name: _value(table.columns[name], value) for name, value in row.items()}
            connection.execute(table.insert().values(read))
        if rows and "id" in table.columns and connection.dialect.name == "postgresql":
            _count_on(connection, table.name, connection.scalar(select(func.max(table.c.id))))


def _count_on(connection: Connection, table: str, last: Any) -> None:
    """Let PostgreSQL's own count go on behind what was inserted, as if it had counted that."""
    if isinstance(last, int):
        sequence = text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)")
        connection.execute(sequence, {"table": table, "last": last})


def _value(column: Column[Any], written: Any) -> Any:
    """A value as it was before SQLite wrote it."""
    if written is None:
        return None
    match column.type:
        case JSON():
            return json.loads(written)
        case DateTime():
            return datetime.fromisoformat(written).replace(tzinfo=UTC)
        case LargeBinary():
            return bytes.fromhex(written)
        case _:
            return written
