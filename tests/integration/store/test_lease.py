"""A store that a server holds for itself, and a tournament that somebody plays."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine, text

from arena.store import Store
from arena.store.errors import LeaseLost, StoreServed, StoreUnavailable, TournamentBusy
from arena.store.lease import Lease
from arena.store.testing import make_tournament
from tests.postgresql import server

from .conftest import each_database

PATIENCE = 60.0
_HOLDER = (
    "import sys; from pathlib import Path; from arena.store import Store\n"
    "store = Store.open(Path(sys.argv[1]))\n"
    "cup = store.tournament('cup') if sys.argv[2] == 'run_lock' else None\n"
    "with store.run_lock(cup) if cup else store.lease():\n"
    "    print('held', flush=True); sys.stdin.readline()"
)


@contextmanager
def held_elsewhere(folder: Path, what: str) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the lease, or the run lock of the tournament cup."""
    command = [sys.executable, "-c", _HOLDER, str(folder), what]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        try:
            yield other
        finally:
            other.kill()


def another_machine(folder: Path) -> Path:
    """The same store as another machine has it: its own folder, so its own lock files."""
    there = folder.with_name("elsewhere")
    there.mkdir()
    shutil.copy(folder / "store.id", there)
    return there


@each_database
def test_a_second_server_is_refused_in_one_line_that_names_the_first(tmp_path: Path) -> None:
    """Its process, its machine and since when; and not any more when it was killed."""
    with Store.open(tmp_path) as store:
        with held_elsewhere(tmp_path, "lease") as other:
            line = (
                rf"^the store at {tmp_path} is served by process {other.pid} on "
                rf"{socket.gethostname()} since 20\d\d-\S+ \S+ UTC: stop that one first, .*$"
            )
            for _ in range(2):
                with pytest.raises(StoreServed, match=line), store.lease():
                    pass
        for _ in range(2):
            with store.lease() as lease:
                assert lease.lost is None


@pytest.mark.usefixtures("on_postgresql")
def test_on_postgresql_it_is_refused_from_another_machine_too(tmp_path: Path) -> None:
    """Where no lock file is shared, the database's lock is."""
    here = tmp_path / "here"
    with Store.open(here) as store:
        make_tournament(store)
    with Store.open(another_machine(here)) as store:
        with held_elsewhere(here, "lease") as other:
            line = rf"is served by process {other.pid} on {socket.gethostname()} since 20\d\d-"
            with pytest.raises(StoreServed, match=line), store.lease():
                pass
        with store.lease():
            pass


@pytest.mark.usefixtures("on_postgresql")
def test_on_postgresql_a_tournament_is_played_on_one_machine(tmp_path: Path) -> None:
    """Another tournament of the same store may be played on the other one meanwhile."""
    here = tmp_path / "here"
    with Store.open(here) as store:
        cup, other_cup = make_tournament(store), make_tournament(store, "other")
    with Store.open(another_machine(here)) as store:
        with held_elsewhere(here, "run_lock") as other:
            with (
                pytest.raises(TournamentBusy, match=rf"played by process {other.pid} on .*: wait"),
                store.run_lock(cup),
            ):
                pass
            with store.run_lock(other_cup), store.lease():
                pass
        with store.run_lock(cup):
            pass


def test_two_stores_in_one_server_have_a_lease_each(
    tmp_path: Path, on_postgresql: URL, monkeypatch: pytest.MonkeyPatch, postgres_url: URL
) -> None:
    """Their locks are told apart by the store's id, though the server keeps them in one place."""
    schema = "beside_" + str(on_postgresql.query["options"]).rpartition("=")[2]
    engine = create_engine(postgres_url)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    engine.dispose()
    with Store.open(tmp_path / "one") as one, one.lease():
        beside = on_postgresql.update_query_dict({"options": f"-csearch_path={schema}"})
        monkeypatch.setenv("ARENA_DATABASE", beside.render_as_string(hide_password=False))
        with Store.open(tmp_path / "two") as two, two.lease():
            assert one.id != two.id


async def test_a_lease_whose_connection_ended_is_lost_and_says_so(
    tmp_path: Path, on_postgresql: URL
) -> None:
    """To who waits and to who asks, within seconds; then it can be had again."""
    with Store.open(tmp_path) as store:
        with store.lease() as lease:
            hearing = asyncio.create_task(lease.until_lost())
            given_up = asyncio.create_task(lease.until_lost())
            await asyncio.sleep(0)
            given_up.cancel()
            assert not _why(lease)
            began = time.monotonic()
            _end_holders(on_postgresql)
            lost = await asyncio.wait_for(hearing, PATIENCE)
            assert time.monotonic() - began < 10
            assert isinstance(lost, LeaseLost)
            assert str(lost).startswith("the store is no longer held by this process, since its ")
            assert str(lost).isprintable()
            assert _why(lease) is lost
            assert await lease.until_lost() is lost
        with store.lease() as lease:
            assert lease.lost is None


def _why(lease: Lease) -> LeaseLost | None:
    return lease.lost


def _end_holders(url: URL) -> None:
    """End the connections that hold locks of this process, as an administrator could."""
    engine = create_engine(url)
    with engine.begin() as connection:
        ended = connection.scalars(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name LIKE :name"
            ),
            {"name": f"claim-arena {os.getpid()} %"},
        ).all()
    engine.dispose()
    assert ended == [True]


async def test_a_server_that_stops_takes_the_lease_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is away there is none to be had; when it is back there is."""
    with server() as running:
        monkeypatch.setenv("ARENA_DATABASE", running.url().render_as_string(hide_password=False))
        with Store.open(tmp_path) as store:
            with store.lease() as lease:
                running.stop()
                await asyncio.wait_for(lease.until_lost(), PATIENCE)
            with pytest.raises(StoreUnavailable, match="can't be reached"), store.lease():
                pass
            running.start()
            with store.lease() as lease:
                assert lease.lost is None
