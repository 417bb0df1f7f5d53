"""Whether a kernel shows how long a container waits for a CPU before the wait has ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.sandbox.timekeeping import shows_waits_that_go_on

FULL = "some avg10=0.00 total=1\nfull avg10=0.00 total=1\n"


def shown(folder: Path, pressure: str | None = FULL) -> bool:
    """With this in the file of the whole machine's CPU pressure, or without one."""
    file = folder / "pressure"
    if pressure is not None:
        file.write_text(pressure)
    return shows_waits_that_go_on(cgroups=folder, pressure=file)


@pytest.mark.parametrize("name", ["cgroup.controllers", "unified"])
def test_it_takes_the_tree_of_version_2(tmp_path: Path, name: str) -> None:
    """Alone, or beside those of version 1."""
    assert not shown(tmp_path)
    (tmp_path / name).mkdir()
    assert shown(tmp_path)


@pytest.mark.parametrize("pressure", [None, "some avg10=0.00 total=1\n"])
def test_it_takes_full_pressure(tmp_path: Path, pressure: str | None) -> None:
    """A kernel may be booted without, or be too old."""
    (tmp_path / "cgroup.controllers").touch()
    assert not shown(tmp_path, pressure)
