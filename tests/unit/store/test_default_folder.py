"""Where a store lies when nobody says where."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store import StoreNotWritable
from arena.store.opening import default_folder


def test_the_environment_decides_where_the_store_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    """ARENA_HOME goes before XDG_DATA_HOME, which must be absolute, before the home folder."""
    monkeypatch.setenv("HOME", "/home/ana")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setenv("ARENA_HOME", "/arena")
    assert default_folder() == Path("/arena")
    monkeypatch.setenv("ARENA_HOME", "")
    assert default_folder() == Path("/data/claim-arena")
    for ignored in ("", "relative/path"):
        monkeypatch.setenv("XDG_DATA_HOME", ignored)
        assert default_folder() == Path("/home/ana/.local/share/claim-arena")


def test_somebody_who_does_not_exist_has_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's home folder is one line too."""
    monkeypatch.setenv("ARENA_HOME", "~nobody-of-that-name/arena")
    with pytest.raises(StoreNotWritable, match="set ARENA_HOME to a folder"):
        default_folder()


@pytest.mark.parametrize("home", ["", "here"])
def test_a_home_that_is_no_path_is_none(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the root, nor a folder of whatever folder one is in."""
    monkeypatch.delenv("ARENA_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", home)
    with pytest.raises(StoreNotWritable, match="set ARENA_HOME to a folder"):
        default_folder()


def test_a_user_without_a_home_is_told_to_name_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of a RuntimeError."""

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("ARENA_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(StoreNotWritable, match="set ARENA_HOME to a folder"):
        default_folder()
