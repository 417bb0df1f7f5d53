"""What the migrations make is what the schema declares."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from arena.store import Progress, SeatFault, Store, TournamentState
from arena.store.migrate import steps
from arena.store.opening import chosen_database
from arena.store.schema import REVISION, Base
from arena.store.testing import (
    logs_of,
    make_tournament,
    new_matches,
    new_result,
    new_version,
    replay_of,
)

from .conftest import each_database
from .old_stores import REVISIONS, old_store


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


each_step = pytest.mark.parametrize("step", REVISIONS)


@pytest.fixture
def old(tmp_path: Path, database: str, step: str) -> Iterator[Store]:
    """What the program of that step left, opened by this one, on each kind of database."""
    del database
    old_store(tmp_path / "store", step)
    with Store.open(tmp_path / "store") as store:
        assert store.id == step * 8
        yield store


def test_there_is_a_store_of_every_step_before_the_newest() -> None:
    """So no step is added without one from before it."""
    assert set(REVISIONS) == steps() - {REVISION}


@each_step
def test_all_that_an_old_program_recorded_is_there(old: Store, step: str) -> None:
    """Bots, versions, results with their seats, voids, and whatever lies in blobs."""
    assert [(v.bot, v.number, v.label) for v in old.versions()] == [
        ("bot0", 1, None),
        ("bot0", 2, "second"),
        ("bot1", 1, None),
    ]
    assert {old.blob(version.archive) for version in old.versions()} == {b"archive"}
    cup = old.tournament("cup")
    assert cup.seed == bytes(range(32))
    assert cup.timers["budget"] == 600
    assert [entry.version.bot for entry in cup.entries] == ["bot0", "bot1"]
    assert old.progress(cup.id) == Progress(TournamentState.RUNNING, 6, done=2, holes=1, voids=4)
    assert [(v.match_id, v.attempt) for v in old.voids(cup.id)][:2] == [("m1-0", 1), ("m2-0", 1)]
    for result in old.results(cup.id):
        assert old.blob(result.replay) == f"replay of {result.match_id}\n".encode()
        match = old.match(cup.id, result.match_id)
        assert [(s.seat, s.entry, s.rank) for s in result.seats] == [
            (seat, entry, seat + 1) for seat, entry in enumerate(match.seating)
        ]
        assert [s.faults for s in result.seats] == [(), (SeatFault(1, 2, "TIMEOUT"),)]
        logs = {s.seat: old.blob(s.log) for s in result.seats if s.log}
        assert logs == logs_of(match)
        # It is not known, which is something else than 0, where nobody counted it.
        luck = [None, None] if step < "0002" else [0.5, -0.5]
        assert [s.luck for s in result.seats] == luck
    assert old.progress(old.tournament("stopped").id).state is TournamentState.CANCELLED


@each_step
def test_an_old_tournament_is_played_to_its_end(old: Store, step: str) -> None:
    """By the rules with which it began, on a schedule that was whole."""
    cup = old.tournament("cup")
    assert cup.until_clear is None
    # Nobody looked whether bots thought on others' time.
    assert cup.ponder == ("allow" if step < "0004" else "freeze")
    for match in old.pending_matches(cup.id):
        old.record_result(cup.id, new_result(match), replay_of(match), logs_of(match))
        assert [seat.luck for seat in old.result(cup.id, match.id).seats] == [0.5, -0.5]
    assert old.progress(cup.id).state is TournamentState.FINISHED


@pytest.mark.parametrize("step", [step for step in REVISIONS if step >= "0003"])
def test_an_old_schedule_that_grows_goes_on_growing(old: Store, step: str) -> None:
    """Once what it has was played."""
    del step
    growing = old.tournament("growing")
    assert growing.until_clear == 0.95
    for match in old.pending_matches(growing.id):
        old.record_result(growing.id, new_result(match), replay_of(match))
    assert old.progress(growing.id).state is TournamentState.RUNNING
    old.extend_schedule(growing.id, new_matches(2)[2:])
    assert len(old.pending_matches(growing.id)) == 2


@each_step
def test_new_things_find_their_place_beside_old_ones(old: Store, step: str) -> None:
    """Their numbers go on where the old ones end."""
    del step
    assert old.add_version(new_version("newcomer"), b"new").id == 4
    assert old.add_version(new_version("bot0", digest="cd" * 32), b"new").number == 3
    newest = old.tournaments()[-1].id
    assert make_tournament(old, "new").id == newest + 1
