"""The blob folder by itself."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.store import NotFound, StoreDamaged
from arena.store.blobs import BlobFolder


@pytest.fixture
def blobs(tmp_path: Path) -> BlobFolder:
    return BlobFolder(tmp_path / "blobs")


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(many=st.lists(st.binary(max_size=2000), max_size=5))
def test_what_was_put_in_comes_out_under_its_hash(blobs: BlobFolder, many: list[bytes]) -> None:
    """One by one and many at a time, equal ones too."""
    keys = blobs.put_all(many)
    assert keys == [hashlib.sha256(data).hexdigest() for data in many]
    assert [blobs.get(key) for key in keys] == many
    assert [blobs.put(data) for data in many] == keys


def test_equal_bytes_are_kept_once(blobs: BlobFolder) -> None:
    """And the file isn't written again, but marked as fresh."""
    path = blobs.path(blobs.put(b"data"))
    before = path.stat()
    os.utime(path, (0, 0))
    blobs.put(b"data")
    assert path.stat().st_ino == before.st_ino
    assert path.stat().st_mtime >= before.st_mtime
    assert [file for file in blobs.folder.rglob("*") if file.is_file()] == [path]


def test_a_blob_that_was_put_just_now_is_not_removed(blobs: BlobFolder) -> None:
    """However old it was before; an old one is, and one that isn't there is none."""
    key, other = blobs.put_all([b"data", b"other"])
    assert blobs.remove([key, other, "ab" * 32], fresh=60) == 0
    for each in (key, other):
        os.utime(blobs.path(each), (0, 0))
    blobs.put(b"data")
    assert blobs.remove([key, other], fresh=60) == 1
    assert list(blobs.keys()) == [key]


def test_nothing_is_removed_while_somebody_holds_it(blobs: BlobFolder) -> None:
    """Removing waits for them, and they for a removal."""
    key = blobs.put(b"data")
    with ThreadPoolExecutor(1) as pool:
        with blobs.held():
            removing = pool.submit(blobs.remove, [key], fresh=0)
            time.sleep(0.2)
            assert not removing.done()
            assert blobs.get(key) == b"data"
        assert removing.result(60) == 1


def test_a_damaged_blob_is_noticed_and_healed_by_putting_it_in_again(blobs: BlobFolder) -> None:
    """Reading never gives bytes that are not those that were put in."""
    key = blobs.put(b"data")
    blobs.path(key).write_bytes(b"daty")
    with pytest.raises(StoreDamaged, match=rf"{key} is damaged: put a backup of it in its place"):
        blobs.get(key)
    assert blobs.put(b"data") == key
    assert blobs.get(key) == b"data"


def test_a_blob_that_is_not_there_is_not_found(blobs: BlobFolder) -> None:
    """With the place where it should be."""
    key = "ab" * 32
    with pytest.raises(NotFound, match=f"no blob {key}: put a backup of {blobs.path(key)}"):
        blobs.get(key)


@pytest.mark.parametrize("key", ["", "..", "../../../etc/passwd", "AB" * 32, "ab" * 32 + "/x"])
def test_only_a_hash_is_a_key(blobs: BlobFolder, key: str) -> None:
    """No key leads out of the folder."""
    with pytest.raises(NotFound, match="is no blob key"):
        blobs.path(key)


def test_bytes_are_synced_before_they_get_their_name_and_the_name_before_the_end(
    blobs: BlobFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order that a power cut can't break: file, name, folder."""
    steps = []
    fsync, replace = os.fsync, Path.replace

    def spy_fsync(handle: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        steps.append("sync folder" if is_folder else f"sync {os.fstat(handle).st_size} bytes")
        fsync(handle)

    def spy_replace(source: Path, target: Path) -> Path:
        steps.append("name")
        return replace(source, target)

    monkeypatch.setattr(os, "fsync", spy_fsync)
    monkeypatch.setattr(Path, "replace", spy_replace)
    blobs.put(b"data")
    assert steps == ["sync 4 bytes", "name", "sync folder"]
    steps.clear()
    blobs.put(b"data")
    assert steps == ["sync folder"]


def test_a_write_that_fails_leaves_nothing_behind(
    blobs: BlobFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither half a blob nor a temporary file."""

    def fail(_handle: int) -> None:
        raise OSError("no")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="no"):
        blobs.put(b"data")
    assert [file for file in blobs.folder.rglob("*") if file.is_file()] == []


def test_sweeping_removes_what_killed_writers_left_and_no_blob(blobs: BlobFolder) -> None:
    """Temporary files go, blobs stay."""
    key = blobs.put(b"data")
    (blobs.folder / "tmp" / "left").write_bytes(b"dat")
    blobs.sweep()
    assert list((blobs.folder / "tmp").iterdir()) == []
    assert blobs.get(key) == b"data"


def test_others_may_not_read_blobs(blobs: BlobFolder) -> None:
    """A replay that isn't released has hidden cards."""
    assert stat.S_IMODE(blobs.folder.stat().st_mode) == 0o700
