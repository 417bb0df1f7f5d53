"""Files are written whole, where a person said, or not at all."""

from pathlib import Path

import pytest

from arena.app.errors import ArenaError
from arena.app.files import write_file


def test_a_file_is_written_with_its_folders(tmp_path: Path) -> None:
    """With the rights that any new file has, and nothing left beside it."""
    path = tmp_path / "a" / "b.txt"
    write_file(path, "text é")
    write_file(path, b"again")
    assert path.read_bytes() == b"again"
    assert [entry.name for entry in path.parent.iterdir()] == ["b.txt"]
    plain = tmp_path / "plain"
    plain.touch()
    assert path.stat().st_mode == plain.stat().st_mode


def test_a_file_that_cannot_be_written_is_an_error_for_people(tmp_path: Path) -> None:
    """A folder in its place, or a file where its folder should be."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for path in (tmp_path / "folder", tmp_path / "file" / "x"):
        with pytest.raises(ArenaError, match="cannot be written"):
            write_file(path, "")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "folder"]
