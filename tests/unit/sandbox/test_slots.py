"""Volumes for sockets: which are taken, and which are no volumes for sockets at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.sandbox import SandboxFailed, slots
from arena.sandbox.folders import mount_tmpfs, mounts_below, unmount
from arena.sandbox.slots import VARIABLE, Slots

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Two small volumes as an arena's container has them."""
    place = tmp_path / "slots"
    for number in range(2):
        (place / str(number)).mkdir(parents=True)
        mount_tmpfs(place / str(number), 0)
    yield place
    for mount in mounts_below(place):
        unmount(mount)


@pytest.fixture
def declared(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Slots:
    """The slots of this setting."""
    monkeypatch.setenv(VARIABLE, f"slot-:{folder}")
    found = Slots.declared(tmp_path / "leases")
    assert found is not None
    return found


def test_without_the_setting_there_are_none(tmp_path: Path) -> None:
    """An arena outside containers mounts its folders itself."""
    assert Slots.declared(tmp_path / "leases") is None


@needs_root
def test_each_volume_has_one_owner_and_is_empty_for_the_next(
    declared: Slots, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a bot left there; and who finds none free is told what to do."""
    monkeypatch.setattr(slots, "_PATIENCE", 0.0)
    one, other = (declared.take("me", 1_900_000_001, 0o700) for _ in range(2))
    assert {one.volume, other.volume} == {"slot-0", "slot-1"}
    assert (one.path.stat().st_uid, one.path.stat().st_mode & 0o777) == (1_900_000_001, 0o700)
    with pytest.raises(SandboxFailed, match="all 2 socket volumes are in use: declare more"):
        declared.take("me", 1, 0o700)
    (one.path / "deep" / "er").mkdir(parents=True)
    (one.path / "link").symlink_to("/etc")
    (one.path / "bot.sock").touch()
    one.remove()
    again = declared.take("me", 1_900_000_002, 0o711)
    assert (again.volume, list(again.path.iterdir())) == (one.volume, [])
    assert (again.path.stat().st_uid, again.path.stat().st_mode & 0o777) == (1_900_000_002, 0o711)
    assert Path("/etc").exists()


@needs_root
def test_a_volume_that_was_given_up_waits_for_the_cleaning(
    declared: Slots, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A container that may still run could write to it."""
    monkeypatch.setattr(slots, "_PATIENCE", 0.0)
    for _ in range(2):
        declared.take("me", 1, 0o700).abandon()
    with pytest.raises(SandboxFailed):
        declared.take("me", 1, 0o700)


@needs_root
@pytest.mark.parametrize("wrong", ["none", "a gap", "no mount"])
def test_what_is_no_row_of_small_volumes_is_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """In one line that names the place."""
    if wrong == "none":
        folder = tmp_path / "elsewhere"
    elif wrong == "a gap":
        (folder / "5").mkdir()
    else:
        (folder / "2").mkdir()
    monkeypatch.setenv(VARIABLE, f"slot-:{folder}")
    with pytest.raises(SandboxFailed, match=str(folder)):
        Slots.declared(tmp_path / "leases")


@pytest.mark.parametrize("told", ["slot-", "slot-:relative", ":/run/slots"])
def test_a_setting_that_makes_no_sense_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    """It says how it is written."""
    monkeypatch.setenv(VARIABLE, told)
    with pytest.raises(SandboxFailed, match=f"{VARIABLE} is written NAME:FOLDER"):
        Slots.declared(tmp_path / "leases")


@needs_root
def test_a_large_volume_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot could fill the machine's memory with it."""
    monkeypatch.setenv(VARIABLE, f"slot-:{tmp_path}/slots")
    place = tmp_path / "slots" / "0"
    place.mkdir(parents=True)
    monkeypatch.setattr("arena.sandbox.folders._SIZE", "2m")
    mount_tmpfs(place, 0)
    try:
        with pytest.raises(SandboxFailed, match=r"the volume slot-0 .*is no small tmpfs"):
            Slots.declared(tmp_path / "leases")
    finally:
        unmount(place)
