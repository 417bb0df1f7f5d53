"""Transactions of a database by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import URL, text

from arena.store.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    url = URL.create("sqlite", database=str(tmp_path / "test.db"))
    database = Database(url, tmp_path, busy_timeout=1.5)
    with database.write() as session:
        session.execute(text("CREATE TABLE words (word TEXT)"))
    yield database
    database.close()


def _words(database: Database) -> list[str]:
    with database.read() as session:
        return list(session.scalars(text("SELECT word FROM words")))


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 1500)],
)
def test_sqlite_is_set_up_on_every_connection(
    database: Database, pragma: str, value: object
) -> None:
    """Readers beside a writer; each commit synced (2 is FULL); references held; patience."""
    for transaction in (database.read, database.write):
        with transaction() as session:
            assert session.scalar(text(f"PRAGMA {pragma}")) == value


def test_a_transaction_in_which_something_is_raised_leaves_nothing(database: Database) -> None:
    """What was written before is undone, and the next writer isn't kept out."""
    with suppress(KeyError), database.write() as session:
        session.execute(text("INSERT INTO words VALUES ('lost')"))
        raise KeyError
    with database.write() as session:
        session.execute(text("INSERT INTO words VALUES ('kept')"))
    assert _words(database) == ["kept"]


def test_a_reader_sees_one_state_to_its_end(database: Database) -> None:
    """A write that commits meanwhile shows to the next reader."""
    with database.read() as reader:
        count = text("SELECT count(*) FROM words")
        before = reader.scalar(count)
        with database.write() as session:
            session.execute(text("INSERT INTO words VALUES ('new')"))
        assert reader.scalar(count) == before == 0
    assert _words(database) == ["new"]
