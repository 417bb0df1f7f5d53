"""Several processes and threads on one store."""

from __future__ import annotations

import asyncio
import multiprocessing
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.store import (
    Recorded,
    Store,
    StoreLocked,
    TournamentBusy,
    TournamentState,
)
from arena.store.locks import UseLock
from arena.store.testing import logs_of, make_tournament, new_result, new_version, replay_of

from .conftest import Writer, each_database


@each_database
def test_two_processes_may_write_at_once(
    tmp_path: Path, start_writer: Callable[[Path, str], Writer]
) -> None:
    """Both play the same tournament: every result is recorded by exactly one of them."""
    with Store.open(tmp_path) as store:
        cup = make_tournament(store, blocks=50)
        writers = [start_writer(tmp_path, "cup") for _ in range(2)]
        for writer in writers:
            writer.go()
        recorded = [writer.recorded() for writer in writers]
        assert [writer.process.returncode for writer in writers] == [0, 0]
        assert sorted(recorded[0] + recorded[1]) == sorted(m.id for m in store.matches(cup.id))
        assert store.progress(cup.id).state is TournamentState.FINISHED


@each_database
def test_many_threads_may_write_and_read_at_once(tmp_path: Path) -> None:
    """Each result is handed in by four threads: one of them recorded it, and readers see wholes."""
    with Store.open(tmp_path) as store, ThreadPoolExecutor(16) as pool:
        cup = make_tournament(store, blocks=20)
        matches = store.matches(cup.id)

        def record(index: int) -> Recorded:
            match = matches[index % len(matches)]
            return store.record_result(cup.id, new_result(match), replay_of(match), logs_of(match))

        def read(_: int) -> bool:
            return all(len(result.seats) == 2 for result in store.results(cup.id))

        writes = pool.map(record, range(4 * len(matches)))
        assert all(pool.map(read, range(50)))
        assert sum(outcome is Recorded.NEW for outcome in writes) == len(matches)


@each_database
async def test_asyncio_may_call_it_through_threads_and_cancel(tmp_path: Path) -> None:
    """A cancelled task's write ends whole in its thread; what was reported is recorded."""
    with Store.open(tmp_path) as store:
        cup = make_tournament(store, blocks=20)
        tasks = {
            match.id: asyncio.create_task(
                asyncio.to_thread(store.record_result, cup.id, new_result(match), replay_of(match))
            )
            for match in store.matches(cup.id)
        }
        await asyncio.sleep(0.02)
        for task in list(tasks.values())[::3]:
            task.cancel()
        await asyncio.wait(tasks.values())
        await asyncio.get_running_loop().shutdown_default_executor()
        reported = {id_ for id_, task in tasks.items() if not task.cancelled()}
        assert {tasks[id_].result() for id_ in reported} == {Recorded.NEW}
        assert len(reported) >= 26
        assert reported <= {result.match_id for result in store.results(cup.id)}


def _open(folder: Path, barrier: threading.Barrier) -> None:
    barrier.wait()
    with Store.open(folder) as store:
        store.add_version(new_version(), b"")


@each_database
@pytest.mark.timeout(180)
def test_many_processes_may_make_one_store_at_once(tmp_path: Path) -> None:
    """Whoever is first migrates, the others wait; they agree on its id and on what it holds."""
    spawn = multiprocessing.get_context("spawn")
    barrier = spawn.Barrier(4)
    processes = [spawn.Process(target=_open, args=(tmp_path / "store", barrier)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    with Store.open(tmp_path / "store") as store:
        assert [version.number for version in store.versions()] == [1]


@contextmanager
def _other_writer(folder: Path) -> Iterator[None]:
    """Another program that has begun to write into the database."""
    program = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "db.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.readline()"
    )
    command = [sys.executable, "-c", program, str(folder / "arena.db")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        yield
        other.communicate(b"\n")


def test_a_database_that_another_writer_holds_is_waited_for_and_then_said(tmp_path: Path) -> None:
    """Writing fails in one line after the time that was given; reading never waits."""
    with Store.open(tmp_path, busy_timeout=0.3) as store:
        cup = make_tournament(store)
        match = store.pending_matches(cup.id)[0]
        with _other_writer(tmp_path):
            began = time.monotonic()
            with pytest.raises(StoreLocked, match="is held by another process: try again"):
                store.record_result(cup.id, new_result(match), b"replay")
            assert time.monotonic() - began >= 0.25
            assert store.pending_matches(cup.id)[0] == match
            with Store.open(tmp_path) as reader:
                assert reader.tournament("cup") == cup
        assert store.record_result(cup.id, new_result(match), b"replay") is Recorded.NEW


def test_a_writer_that_ends_in_time_is_not_noticed(tmp_path: Path) -> None:
    """Within the time that was given the write goes through."""
    with Store.open(tmp_path, busy_timeout=20) as store, ThreadPoolExecutor() as pool:
        cup = make_tournament(store)
        match = store.pending_matches(cup.id)[0]
        with _other_writer(tmp_path):
            waiting = pool.submit(store.record_result, cup.id, new_result(match), b"replay")
            time.sleep(0.3)
            assert not waiting.done()
        assert waiting.result() is Recorded.NEW


def test_a_store_that_must_change_waits_until_nobody_uses_it(tmp_path: Path) -> None:
    """Tables are never changed under a process that knows the old ones."""
    with Store.open(tmp_path):
        pass
    with sqlite3.connect(tmp_path / "arena.db") as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            database.execute(f"DROP TABLE {table}")
    database.close()
    user = UseLock(tmp_path / "run" / "store.lock")
    assert user.try_shared()
    with pytest.raises(StoreLocked, match="held by a process of another version of this program"):
        Store.open(tmp_path, busy_timeout=0.3)
    user.close()
    with Store.open(tmp_path) as store:
        assert store.bots() == []


def test_the_run_lock_names_its_holder_and_dies_with_it(tmp_path: Path) -> None:
    """A process that was killed holds nothing."""
    with Store.open(tmp_path) as store:
        cup = make_tournament(store)
        program = (
            "import sys; from pathlib import Path; from arena.store import Store\n"
            "store = Store.open(Path(sys.argv[1]))\n"
            "with store.run_lock(store.tournament('cup')):\n"
            "    print('held', flush=True); sys.stdin.readline()"
        )
        command = [sys.executable, "-c", program, str(tmp_path)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == b"held\n"
            with (
                pytest.raises(
                    TournamentBusy, match=rf"'cup' is .* by process {other.pid} on .*: wait"
                ),
                store.run_lock(cup),
            ):
                pass
            other.kill()
        with store.run_lock(cup):
            pass


def test_left_over_temporary_files_go_when_nobody_else_has_the_store_open(tmp_path: Path) -> None:
    """Never while another process could be writing them."""
    with Store.open(tmp_path):
        left = tmp_path / "blobs" / "tmp" / "left"
        left.write_bytes(b"half a blob")
        with Store.open(tmp_path):
            assert left.exists()
    with Store.open(tmp_path):
        assert not left.exists()
