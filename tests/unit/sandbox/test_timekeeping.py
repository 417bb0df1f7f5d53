"""What an operator is told of how well time can be kept on a machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.sandbox.timekeeping import timekeeping

FULL = "some avg10=0.00 total=1\nfull avg10=0.00 total=1\n"


def known(folder: Path, pressure: str | None = FULL) -> dict[str, bool]:
    """What is there, by name."""
    file = folder / "pressure"
    if pressure is not None:
        file.write_text(pressure)
    return {found.name: found.there for found in timekeeping(cgroups=folder, pressure=file)}


@pytest.fixture(autouse=True)
def _root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def test_version_2_has_all(tmp_path: Path) -> None:
    """With pressure, accounting and a freezer in one tree."""
    (tmp_path / "cgroup.controllers").touch()
    assert set(known(tmp_path).values()) == {True}


def test_version_1_alone_shows_no_wait_that_goes_on(tmp_path: Path) -> None:
    """Pressure of containers is kept in the tree of version 2 only; hybrid has that, too."""
    for controller in ("cpuacct", "freezer"):
        (tmp_path / controller).mkdir()
    assert known(tmp_path) == {"own time": True, "waits that go on": False, "freezer": True}
    (tmp_path / "unified").mkdir()
    assert set(known(tmp_path).values()) == {True}


@pytest.mark.parametrize("pressure", [None, "some avg10=0.00 total=1\n"])
def test_a_kernel_without_full_pressure_is_found_out(tmp_path: Path, pressure: str | None) -> None:
    """It was booted without, or is too old."""
    (tmp_path / "cgroup.controllers").touch()
    assert known(tmp_path, pressure)["waits that go on"] is False


def test_only_root_can_freeze(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `arena doctor` says to whoever is not."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    (tmp_path / "cgroup.controllers").touch()
    assert known(tmp_path)["freezer"] is False


def test_a_machine_without_accounting_is_told_so(tmp_path: Path) -> None:
    """In a sentence that says what it means."""
    assert known(tmp_path)["own time"] is False
    assert "counts as its own" in timekeeping(cgroups=tmp_path)[0].no
