"""A run keeps what it logs in the store, and nothing where there was nothing to log."""

import tempfile
from pathlib import Path

import pytest
import structlog

from arena.app.logs import keep_traceback, run_log
from arena.store import Store


def test_what_a_run_logs_lies_in_the_store(tmp_path: Path) -> None:
    """Its own log and what its workers print, in one file for the owner alone."""
    store = Store.open(tmp_path / "home")
    with run_log(store) as file:
        structlog.get_logger().warning("match worker died", pid=7)
        print("a worker's traceback", file=file)
    (path,) = (tmp_path / "home" / "log").iterdir()
    assert '"pid": 7' in path.read_text()
    assert "a worker's traceback" in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    store.close()


def test_a_run_without_anything_to_log_leaves_no_file(tmp_path: Path) -> None:
    """And afterwards logging is as it was before."""
    before = structlog.get_config()
    store = Store.open(tmp_path / "home")
    with run_log(store):
        pass
    assert list((tmp_path / "home" / "log").iterdir()) == []
    assert structlog.get_config() == before
    store.close()


def test_only_the_newest_files_are_kept(tmp_path: Path) -> None:
    """A store's log folder does not grow for ever."""
    store = Store.open(tmp_path / "home")
    for number in range(55):
        with run_log(store) as file:
            print(number, file=file)
        written = {path.read_text() for path in (tmp_path / "home" / "log").iterdir()}
        # Also among many of one second.
        assert f"{number}\n" in written
    assert len(list((tmp_path / "home" / "log").iterdir())) == 50
    store.close()


def test_the_file_of_a_run_is_never_taken_for_an_old_one(tmp_path: Path) -> None:
    """However many there are whose names come after its own."""
    store = Store.open(tmp_path / "home")
    folder = tmp_path / "home" / "log"
    folder.mkdir()
    for number in range(60):
        (folder / f"run-9999{number:02}.log").touch()
    with run_log(store) as file:
        assert Path(file.name).exists()
    assert len(list(folder.iterdir())) == 49  # and it is gone, since nothing was written
    store.close()


def test_a_traceback_is_kept_even_without_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the arena's folder cannot be written the traceback goes to the temporary folder."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "file" / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    try:
        raise ZeroDivisionError("by nothing")
    except ZeroDivisionError as error:
        path = keep_traceback(error)
    assert path.parent == tmp_path
    assert "by nothing" in path.read_text()
