"""A disk without room: one clear line, nothing half done, and on it goes when there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store import (
    MatchStatus,
    NewResult,
    Recorded,
    Store,
    StoredMatch,
    StoreFull,
    StoreNotWritable,
    Tournament,
)
from arena.store.testing import logs_of, make_tournament, new_result, replay_of

from .conftest import Mount

KIB = 1024


def _fill(folder: Path, *, leave: int) -> Path:
    """Fill the file system but for `leave` bytes."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4 * KIB))
        except OSError:
            pass
        file.truncate(max(0, file.tell() - leave))
    return filler


def _record(store: Store, cup: Tournament, match: StoredMatch, new: NewResult) -> Recorded | None:
    try:
        return store.record_result(cup.id, new, replay_of(match), logs_of(match))
    except StoreFull:
        return None


def test_a_full_disk_is_said_in_one_line(tmp_path: Path, mount_tmpfs: Mount) -> None:
    """With the place that is full and what to do."""
    disk = tmp_path / "disk"
    with mount_tmpfs(disk, "size=4m"), Store.open(disk / "store") as store:
        cup = make_tournament(store)
        match = store.pending_matches(cup.id)[0]
        _fill(disk, leave=0)
        line = rf"^no space is left for the store at {disk}/store: free some .* is safe$"
        with pytest.raises(StoreFull, match=line):
            store.record_result(cup.id, new_result(match), replay_of(match))


def test_a_result_that_finds_no_room_is_not_recorded_and_can_be_handed_in_again(
    tmp_path: Path, mount_tmpfs: Mount
) -> None:
    """With any amount of room from none to enough: recorded whole, or StoreFull and nothing."""
    disk = tmp_path / "disk"
    with mount_tmpfs(disk, "size=8m"), Store.open(disk / "store") as store:
        cup = make_tournament(store, blocks=15)
        outcomes = []
        for index, match in enumerate(store.pending_matches(cup.id)):
            filler = _fill(disk, leave=index * 4 * KIB)
            large = new_result(match, measured={"padding": "x" * 40 * KIB})
            outcomes.append(_record(store, cup, match, large))
            expected = MatchStatus.DONE if outcomes[-1] else MatchStatus.PENDING
            assert store.match(cup.id, match.id).status is expected
            filler.unlink()
        assert outcomes[0] is None
        assert outcomes[-1] is Recorded.NEW
        assert len(store.results(cup.id)) == outcomes.count(Recorded.NEW)
        for match in store.pending_matches(cup.id):
            assert _record(store, cup, match, new_result(match)) is Recorded.NEW
        assert store.progress(cup.id).pending == 0
        for result in store.results(cup.id):
            assert store.blob(result.replay)


def test_a_store_is_not_made_where_there_is_no_room(tmp_path: Path, mount_tmpfs: Mount) -> None:
    """With any amount of room: a store, or StoreFull and later a store."""
    disk = tmp_path / "disk"
    outcomes = []
    with mount_tmpfs(disk, "size=4m"):
        for index, leave in enumerate([0, 4, 8, 16, 32, 64, 128, 256, 3072]):
            filler = _fill(disk, leave=leave * KIB)
            try:
                Store.open(disk / f"store{index}").close()
                outcomes.append(True)
            except StoreFull:
                outcomes.append(False)
            filler.unlink()
            Store.open(disk / f"store{index}").close()
    assert (outcomes[0], outcomes[-1]) == (False, True)


def test_a_store_on_a_full_disk_opens_or_says_so(tmp_path: Path, mount_tmpfs: Mount) -> None:
    """Opening one that is there needs little room; without it the line is the same."""
    disk = tmp_path / "disk"
    with mount_tmpfs(disk, "size=4m"):
        with Store.open(disk / "store") as store:
            cup = make_tournament(store)
        for leave in range(0, 80, 8):
            filler = _fill(disk, leave=leave * KIB)
            try:
                with Store.open(disk / "store") as store:
                    assert store.tournament("cup") == cup
            except StoreFull:
                assert leave < 64
            filler.unlink()
        with Store.open(disk / "store") as store:
            assert store.tournament("cup") == cup


def test_a_disk_that_is_read_only_is_said(tmp_path: Path, mount_tmpfs: Mount) -> None:
    """With what to do about it."""
    with (
        mount_tmpfs(tmp_path / "disk", "ro"),
        pytest.raises(StoreNotWritable, match=r"can't be written \(Read-only file system: .*HOME"),
    ):
        Store.open(tmp_path / "disk" / "store")
