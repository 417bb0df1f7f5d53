"""What the migrations make is what the schema declares."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from arena.store import Store, TournamentState
from arena.store.migrate import steps
from arena.store.opening import chosen_database
from arena.store.schema import REVISION, Base
from arena.store.testing import make_tournament, new_result, replay_of

from .conftest import each_database


@each_database
def test_the_migrated_tables_are_those_that_the_schema_declares(tmp_path: Path) -> None:
    """Alembic sees no difference, neither in tables, columns, types nor indexes."""
    Store.open(tmp_path).close()
    engine = create_engine(chosen_database(tmp_path))
    with engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def _statements(file: Path) -> dict[str, list[str]]:
    """Each table's and index's parts, without their order: it means nothing for constraints.

    A column that a later step added stands behind the constraints, on the last one's line.
    """
    with closing(sqlite3.connect(file)) as database:
        query = (
            "SELECT name, sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'alembic%'"
        )
        return {name: _parts(sql) for name, sql in database.execute(query)}


def _parts(sql: str) -> list[str]:
    """What comes before, between and behind the outer brackets, split at the commas there."""
    head, inside, tail = re.fullmatch(r"(.*?)\((.*)\)(.*)", sql, re.DOTALL).groups()  # type: ignore[union-attr]
    parts = re.split(r",(?![^(]*\))", inside)
    return [head.strip(), *sorted(part.strip() for part in parts), tail.strip()]


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


def _age(file: Path) -> None:
    """Turn a store's database back into what step 0001 had made."""
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("DROP TABLE adaptive")
        database.execute("ALTER TABLE seats DROP COLUMN luck")
        database.execute("ALTER TABLE tournaments DROP COLUMN ponder")
        database.execute("UPDATE alembic_version SET version_num = '0001'")


def test_results_from_before_luck_was_counted_have_none(tmp_path: Path) -> None:
    """They stay as they were, their luck is not known rather than 0, and new ones have theirs."""
    with Store.open(tmp_path) as store:
        cup = make_tournament(store)
        old, new, *_ = store.matches(cup.id)
        store.record_result(cup.id, new_result(old), replay_of(old))
        before = store.result(cup.id, old.id)
    _age(tmp_path / "arena.db")
    with Store.open(tmp_path) as store:
        store.record_result(cup.id, new_result(new), replay_of(new))
        unknown = tuple(replace(seat, luck=None) for seat in before.seats)
        assert store.result(cup.id, old.id) == replace(before, seats=unknown)
        assert [seat.luck for seat in store.result(cup.id, new.id).seats] == [0.5, -0.5]


def test_tournaments_from_before_have_a_schedule_that_is_whole(tmp_path: Path) -> None:
    """Nothing is added to it, and they are finished when it has been played."""
    with Store.open(tmp_path) as store:
        cup = make_tournament(store, blocks=1)
    _age(tmp_path / "arena.db")
    with Store.open(tmp_path) as store:
        assert store.tournament("cup") == replace(cup, ponder="allow")
        assert cup.until_clear is None
        for match in store.matches(cup.id):
            store.record_result(cup.id, new_result(match), replay_of(match))
        assert store.progress(cup.id).state is TournamentState.FINISHED


def test_tournaments_from_before_let_bots_think_on_others_time(tmp_path: Path) -> None:
    """Nobody looked when they began, and they are played to their end as they began."""
    with Store.open(tmp_path) as store:
        assert make_tournament(store).ponder == "freeze"
    _age(tmp_path / "arena.db")
    with Store.open(tmp_path) as store:
        assert store.tournament("cup").ponder == "allow"
        assert make_tournament(store, name="new").ponder == "freeze"


def test_what_is_aged_here_is_what_the_first_step_made(tmp_path: Path) -> None:
    """So the test above starts from a store as old programs left it."""
    Store.open(tmp_path / "aged").close()
    _age(tmp_path / "aged" / "arena.db")
    engine = create_engine(f"sqlite:///{tmp_path}/first.db")
    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    assert _statements(tmp_path / "aged" / "arena.db") == _statements(tmp_path / "first.db")
