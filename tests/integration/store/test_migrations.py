"""What the migrations make is what the schema declares."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from arena.store import Store
from arena.store.migrate import steps
from arena.store.schema import REVISION, Base


def test_the_migrated_tables_are_those_that_the_schema_declares(tmp_path: Path) -> None:
    """Alembic sees no difference, neither in tables, columns, types nor indexes."""
    Store.open(tmp_path).close()
    engine = create_engine(f"sqlite:///{tmp_path}/arena.db")
    with engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def _statements(file: Path) -> dict[str, list[str]]:
    """Each table's and index's lines, without their order: it means nothing for constraints."""
    with closing(sqlite3.connect(file)) as database:
        query = (
            "SELECT name, sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'alembic%'"
        )
        return {
            name: sorted(line.strip(" \t,") for line in sql.splitlines())
            for name, sql in database.execute(query)
        }


def test_they_are_the_same_to_the_letter(tmp_path: Path) -> None:
    """Also in what Alembic doesn't compare: constraints' names, foreign keys, row order."""
    Store.open(tmp_path / "migrated").close()
    engine = create_engine(f"sqlite:///{tmp_path}/declared.db")
    Base.metadata.create_all(engine)
    engine.dispose()
    migrated = _statements(tmp_path / "migrated" / "arena.db")
    assert migrated == _statements(tmp_path / "declared.db")
    assert len(migrated) >= 9


def test_the_schema_names_the_newest_migration() -> None:
    """The only one that none follows."""
    folder = Path(__file__).parents[3] / "arena" / "store" / "migrations"
    assert ScriptDirectory(str(folder)).get_heads() == [REVISION]
    assert REVISION in steps()


def test_a_database_that_is_up_to_date_is_not_touched(tmp_path: Path) -> None:
    """Opening it again writes nothing."""
    Store.open(tmp_path).close()
    before = (tmp_path / "arena.db").read_bytes()
    Store.open(tmp_path).close()
    assert (tmp_path / "arena.db").read_bytes() == before
