"""Whatever lies where a store should be: it is opened, or one line says what to do."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from arena.store import (
    Store,
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreNotWritable,
    StoreTooNew,
)
from arena.store.testing import logs_of, make_tournament, new_result, replay_of


def _sql(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "arena.db")) as database, database:
        database.execute(statement)


def _filled(folder: Path, *, blocks: int = 3) -> None:
    with Store.open(folder) as store:
        cup = make_tournament(store, blocks=blocks)
        for match in store.pending_matches(cup.id):
            store.record_result(cup.id, new_result(match), replay_of(match), logs_of(match))


@pytest.mark.parametrize("name", ["store", "b c?#%25", "störe", "'\";", os.fsdecode(b"\xff"), "~x"])
def test_a_store_is_made_where_there_is_none(tmp_path: Path, name: str) -> None:
    """With all folders above it, whatever they are called, for its owner alone; its id stays."""
    folder = tmp_path / name / name
    with Store.open(folder) as store:
        id_ = store.id
        assert store.run_folder == folder / "run"
    with Store.open(folder) as store:
        assert store.id == id_
    for path, mode in ((folder, 0o700), (folder / "run", 0o700), (folder / "arena.db", 0o600)):
        assert stat.S_IMODE(path.stat().st_mode) == mode
    assert {path.name for path in folder.iterdir()} == {"arena.db", "blobs", "run"}


def test_each_store_has_its_own_id(tmp_path: Path) -> None:
    """Containers of two stores on one machine can be told apart."""
    with Store.open(tmp_path / "one") as one, Store.open(tmp_path / "two") as two:
        assert one.id != two.id


def test_the_default_folder_is_used_when_none_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ARENA_HOME is read when a store is opened, a leading ~ is the home folder."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ARENA_HOME", "~/arena")
    with Store.open() as store:
        assert store.folder == tmp_path / "arena"


def test_a_store_is_not_lost_when_the_process_goes_to_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative folder means where it was opened."""
    monkeypatch.chdir(tmp_path)
    with Store.open(Path("store")) as store:
        monkeypatch.chdir("/")
        make_tournament(store)
        assert store.folder == tmp_path / "store"


def test_closing_twice_is_no_error(tmp_path: Path) -> None:
    """By `with` and by hand."""
    with Store.open(tmp_path) as store:
        store.close()


def test_a_database_of_a_newer_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    """Also when a process of that newer program has it open."""
    with Store.open(tmp_path):
        _sql(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
        for _ in range(2):
            with pytest.raises(StoreTooNew, match=r"newer version .* step 9999, .*: upgrade the"):
                Store.open(tmp_path)
    with pytest.raises(StoreTooNew, match="newer version"):
        Store.open(tmp_path)


@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE customers (id)", "CREATE TABLE alembic_version (version_num)"],
)
def test_a_database_of_another_program_is_refused_and_left_alone(
    tmp_path: Path, statement: str
) -> None:
    """Nothing of ours is put into it."""
    _sql(tmp_path, statement)
    before = (tmp_path / "arena.db").read_bytes()
    with pytest.raises(StoreForeign, match="belongs to some other program: set ARENA_HOME"):
        Store.open(tmp_path)
    with closing(sqlite3.connect(tmp_path / "arena.db")) as database:
        names = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    assert names == (1,)
    assert len(before) == (tmp_path / "arena.db").stat().st_size


def test_an_empty_file_is_a_new_database(tmp_path: Path) -> None:
    """A process that died while it made the store leaves one."""
    (tmp_path / "arena.db").touch()
    with Store.open(tmp_path) as store:
        assert store.bots() == []


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """With what to do about it."""
    (tmp_path / "arena.db").write_text("Dear diary, " * 1000)
    with pytest.raises(StoreDamaged, match=r"is damaged \(file is not a database\): move the"):
        Store.open(tmp_path)
    assert (tmp_path / "arena.db").read_text().startswith("Dear diary")


@pytest.mark.parametrize("page", range(1, 16))
def test_a_damaged_page_never_shows_as_a_traceback(tmp_path: Path, page: int) -> None:
    """Whichever page it is: what can be read is read, the rest is one line."""
    _filled(tmp_path)
    file = tmp_path / "arena.db"
    data = bytearray(file.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    data[page * size : (page + 1) * size] = os.urandom(size)
    file.write_bytes(data)
    try:
        with Store.open(tmp_path) as store:
            cup = store.tournament("cup")
            store.progress(cup.id)
            store.results(cup.id)
    except StoreError as error:
        assert str(error).isprintable()  # noqa: PT017 - it may also not be raised


def test_a_database_that_was_cut_off_is_damaged(tmp_path: Path) -> None:
    """A copy that was not finished, for example."""
    _filled(tmp_path, blocks=50)
    file = tmp_path / "arena.db"
    os.truncate(file, file.stat().st_size // 2)
    with pytest.raises(StoreDamaged), Store.open(tmp_path) as store:
        store.results(store.tournament("cup").id)


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    """A file in its place, or in the place of one above it, or a place where none can be made."""
    (tmp_path / "file").touch()
    places = [tmp_path / "file", tmp_path / "file" / "store", Path("/proc/claim-arena")]
    for place in places:
        with pytest.raises(StoreNotWritable, match="check the folder's owner and rights, or set"):
            Store.open(place)


@pytest.mark.parametrize("name", ["blobs", "run", "arena.db"])
def test_a_wrong_thing_in_the_folder_is_said(tmp_path: Path, name: str) -> None:
    """A file where a folder should be, a folder where the database should be."""
    if name == "arena.db":
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).touch()
    with pytest.raises(StoreError) as raised:
        Store.open(tmp_path)
    assert str(tmp_path) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_somebody_elses_folder_is_said(tmp_path: Path) -> None:
    """Whoever may not write there is told so, and which folder it is."""
    if os.geteuid() != 0:
        folder = Path("/")  # nobody but root may make a store here
    else:
        folder = tmp_path / "store"
        with Store.open(folder):
            pass
        tmp_path.chmod(0o755)
        folder.chmod(0o755)
    program = (
        "import os, sys; from pathlib import Path; from arena.store import Store, StoreError\n"
        "os.geteuid() or os.setuid(65534)\n"
        "try: Store.open(Path(sys.argv[1]))\n"
        "except StoreError as error: print(type(error).__name__, error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"StoreNotWritable the store at {folder} can't be written (")
    assert done.stdout.count("\n") == 1
