"""A store whose database is a PostgreSQL server: which one it is, and what may happen to it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine, text

from arena.store import Store, StoreForeign, StoreLocked, StoreUnavailable, StoreUnusable
from arena.store.postgresql import PATIENCE
from arena.store.testing import make_tournament, new_result, replay_of
from tests.postgresql import server


@pytest.mark.usefixtures("on_postgresql")
def test_nothing_of_the_database_lies_in_the_folder(tmp_path: Path) -> None:
    """Blobs, locks, and the id that says which database belongs to it."""
    with Store.open(tmp_path) as store:
        assert {path.name for path in tmp_path.iterdir()} == {"blobs", "run", "store.id"}
        assert (tmp_path / "store.id").read_text() == store.id
        assert store.database.startswith("postgresql://arena@")


@pytest.mark.usefixtures("on_postgresql")
def test_a_database_and_another_stores_folder_are_never_mixed_up(tmp_path: Path) -> None:
    """Replays would be missing, and two arenas would think that they are alone."""
    with Store.open(tmp_path / "one") as store:
        id_ = store.id
    with pytest.raises(StoreForeign, match=r"belongs to a store in another folder than .*two"):
        Store.open(tmp_path / "two")
    with Store.open(tmp_path / "one") as store:
        assert store.id == id_


def test_a_store_killed_before_its_database_had_an_id_goes_on_with_the_folders(
    tmp_path: Path, on_postgresql: URL
) -> None:
    """The folder's id is written first."""
    (tmp_path / "store.id").write_text("f" * 32)
    with Store.open(tmp_path) as store:
        assert store.id == "f" * 32


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ("postgresql://arena@/none?host={folder}", "can't be reached"),
        ("postgresql://arena:secret@127.0.0.1:1/none", "can't be reached"),
        ("mysql://arena:secret@host/none", "is written postgresql://"),
        ("arena:secret", "is written postgresql://"),
        ("postgresql+psycopg2://arena:secret@host/none", "is written postgresql://"),
    ],
)
def test_a_database_that_cannot_be_is_said_in_a_line_without_the_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str, reason: str
) -> None:
    """Whatever ARENA_DATABASE holds."""
    monkeypatch.setenv("ARENA_DATABASE", told.format(folder=tmp_path))
    with pytest.raises((StoreUnavailable, StoreUnusable), match=reason) as raised:
        Store.open(tmp_path)
    assert "secret" not in str(raised.value)
    assert str(raised.value).isprintable()


def test_a_server_that_never_answers_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In 2 seconds here: without a limit, the test would hang."""
    monkeypatch.setitem(PATIENCE, "connect_timeout", 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        monkeypatch.setenv("ARENA_DATABASE", f"postgresql://arena@127.0.0.1:{port}/none")
        with pytest.raises(StoreUnavailable, match="can't be reached"):
            Store.open(tmp_path)


def test_a_connection_would_notice_that_the_server_vanished(
    tmp_path: Path, on_postgresql: URL
) -> None:
    """The driver was told to ask for it, in every connection of the store's pool."""
    del on_postgresql
    with Store.open(tmp_path) as store, store._database.read() as session:
        driver = session.connection().connection.driver_connection
        assert driver is not None
        told = driver.info.get_parameters()
    wanted = {name: str(value) for name, value in PATIENCE.items() if name != "keepalives"}
    assert wanted.items() <= told.items()
    assert told.get("keepalives", "1") == "1"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"database": "none"}, 'database "none" does not exist'),
        ({"username": "nobody"}, 'role "nobody" does not exist'),
    ],
)
def test_whoever_is_not_let_in_is_told_what_to_make(
    tmp_path: Path,
    on_postgresql: URL,
    monkeypatch: pytest.MonkeyPatch,
    change: dict[str, str],
    reason: str,
) -> None:
    """No such database, no such role."""
    url = on_postgresql.set(**change)  # type: ignore[arg-type]
    monkeypatch.setenv("ARENA_DATABASE", url.render_as_string(hide_password=False))
    with pytest.raises(StoreUnavailable, match=reason):
        Store.open(tmp_path)


def test_a_role_that_may_not_write_is_told_so(
    tmp_path: Path, on_postgresql: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading goes on."""
    with Store.open(tmp_path) as store:
        cup = make_tournament(store)
    engine = create_engine(on_postgresql)
    with engine.begin() as connection:
        schema = connection.scalar(text("SELECT current_schema()"))
        connection.execute(text(f"CREATE ROLE reader_{schema} LOGIN"))
        connection.execute(text(f"GRANT USAGE ON SCHEMA {schema} TO reader_{schema}"))
        connection.execute(
            text(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO reader_{schema}")
        )
    engine.dispose()
    url = on_postgresql.set(username=f"reader_{schema}")
    monkeypatch.setenv("ARENA_DATABASE", url.render_as_string(hide_password=False))
    with Store.open(tmp_path) as store:
        assert store.tournament("cup") == cup
        with pytest.raises(StoreUnavailable, match=r"can't be written .*permission denied"):
            store.cancel(cup.id)


def test_another_writer_is_waited_for_and_then_said(tmp_path: Path, on_postgresql: URL) -> None:
    """Reading never waits."""
    with Store.open(tmp_path, busy_timeout=0.2) as store:
        cup = make_tournament(store)
        match = store.pending_matches(cup.id)[0]
        with Store.open(tmp_path) as other, other._database.write():
            with pytest.raises(StoreLocked, match="is held by another process"):
                store.record_result(cup.id, new_result(match), replay_of(match))
            assert store.pending_matches(cup.id)[0] == match
        store.record_result(cup.id, new_result(match), replay_of(match))


def test_a_server_that_is_restarted_loses_nothing_that_was_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is away every call says so; afterwards the same store goes on."""
    with server() as running:
        monkeypatch.setenv("ARENA_DATABASE", running.url().render_as_string(hide_password=False))
        with Store.open(tmp_path) as store:
            cup = make_tournament(store)
            matches = store.pending_matches(cup.id)
            store.record_result(cup.id, new_result(matches[0]), replay_of(matches[0]))
            running.stop()
            with pytest.raises(StoreUnavailable, match=r"can't be reached|is not available now"):
                store.pending_matches(cup.id)
            running.start()
            assert store.pending_matches(cup.id) == matches[1:]
            store.record_result(cup.id, new_result(matches[1]), replay_of(matches[1]))
            assert store.progress(cup.id).done == 2


def test_a_connection_that_the_server_ends_fails_one_call_at_most(
    tmp_path: Path, on_postgresql: URL
) -> None:
    """An administrator who ends connections, a server that drops idle ones."""
    with Store.open(tmp_path) as store:
        cup = make_tournament(store)
        engine = create_engine(on_postgresql)
        with engine.begin() as connection:
            ended = connection.scalars(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE pid <> pg_backend_pid() AND datname = current_database()"
                )
            ).all()
        engine.dispose()
        assert any(ended)
        assert store.progress(cup.id).done == 0
