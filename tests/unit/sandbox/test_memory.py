"""Where the kernel counts a container's memory."""

import os
from pathlib import Path

import pytest

from arena.sandbox.memory import cgroup_peak_file, process_peak, read_peak


@pytest.fixture
def cgroup(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What /proc/PID/cgroup says, to be filled by the test."""
    lines: list[str] = []
    monkeypatch.setattr(Path, "read_text", lambda *_args, **_named: "\n".join(lines))
    return lines


def test_version_1_and_hybrid(cgroup: list[str], tmp_path: Path) -> None:
    """The memory controller's own tree is where to look, whatever else is listed."""
    cgroup += ["9:name=systemd:/docker/abc", "4:memory:/docker/abc", "0::/docker/abc"]
    file = tmp_path / "memory/docker/abc/memory.max_usage_in_bytes"
    assert cgroup_peak_file(1, "abc", cgroups=tmp_path) == file


def test_version_2(cgroup: list[str], tmp_path: Path) -> None:
    """There is one tree, and the peak has another name."""
    (tmp_path / "cgroup.controllers").touch()
    cgroup += ["0::/system.slice/docker-abc.scope"]
    file = tmp_path / "system.slice/docker-abc.scope/memory.peak"
    assert cgroup_peak_file(1, "abc", cgroups=tmp_path) == file


def test_a_pid_that_was_used_again_is_not_read(cgroup: list[str], tmp_path: Path) -> None:
    """Somebody else's cgroup is nobody's business."""
    cgroup += ["4:memory:/docker/other", "0::/docker/other"]
    assert cgroup_peak_file(1, "abc", cgroups=tmp_path) is None


def test_what_cant_be_read_is_unknown(tmp_path: Path) -> None:
    """A missing file or a vanished process gives None, not zero."""
    assert read_peak(None) is None
    assert read_peak(tmp_path / "missing") is None
    (tmp_path / "odd").write_text("max", encoding="utf-8")
    assert read_peak(tmp_path / "odd") is None
    assert process_peak(2**22 + 1) is None


def test_our_own_peak_is_plausible() -> None:
    """A process's peak is in bytes."""
    peak = process_peak(os.getpid())
    assert peak is not None
    assert peak > 10 << 20
