"""The look from inside that `arena doctor` takes, at a real container."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.sandbox import inside, spec
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.errors import SandboxFailed
from arena.sandbox.inside import facts, look_inside
from arena.sandbox.instance import Instance
from arena.sandbox.protections import State, protections
from arena.sandbox.runtime import check_runtime

pytestmark = pytest.mark.docker


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[DockerSandbox]:
    """A sandbox of its own."""
    with Instance.create(tmp_path / "run", "inside") as instance:
        made = DockerSandbox(instance, uids=tmp_path / "uids")
        with closing(made.engine):
            yield made
        assert [entry.name for entry in instance.folder.iterdir()] == ["lock"]


async def test_what_a_container_is_made_with_is_in_force(
    sandbox: DockerSandbox, base_image: str
) -> None:
    """Every fact holds here, as root."""
    view = await look_inside(sandbox, base_image)
    missing = [fact.no for fact in facts(view, root=True) if not fact.holds]
    assert missing == [] or os.geteuid() != 0


async def test_a_protection_that_is_left_out_is_seen(
    sandbox: DockerSandbox, base_image: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look is no reading of what was asked for: masks and filter are missed from inside."""
    monkeypatch.setattr(spec, "MASKED_PATHS", ())
    monkeypatch.setattr(spec, "_security", lambda: ["seccomp=unconfined"])
    view = await look_inside(sandbox, base_image)
    missing = {fact.name for fact in facts(view, root=True) if not fact.holds}
    assert {"system calls", "privileges", "network", "masked paths"} <= missing


async def test_an_image_without_python_is_told_in_one_line(
    sandbox: DockerSandbox, base_image: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Or one whose program fails."""
    broken = tmp_path / "lookout.py"
    broken.write_text("raise SystemExit('nothing to see')")
    monkeypatch.setattr(inside, "LOOKOUT", broken)
    with pytest.raises(SandboxFailed, match="exit code 1; nothing to see"):
        await look_inside(sandbox, base_image)


def test_doctor_names_each_protection_once(sandbox: DockerSandbox, base_image: str) -> None:
    """With an image all are looked at, without one the rest is said to be not testable."""
    found = protections(sandbox, base_image)
    names = [each.name for each in found]
    assert len(names) == len(set(names))
    assert {"system calls", "freezer", "fair clock", "network", "masked paths"} <= set(names)
    without = {each.name: each for each in protections(sandbox)}
    assert without["from inside"].state is State.NOT_TESTABLE


def test_the_engines_own_runtime_may_be_asked_for_by_name(
    sandbox: DockerSandbox, base_image: str
) -> None:
    """And one that it doesn't have is refused."""
    sandbox.engine.runtime = "runc"
    check_runtime(sandbox.engine, sandbox.instance, base_image)
    assert {each.name: each.state for each in protections(sandbox, base_image)}["gVisor"] is (
        State.PRESENT
    )
    sandbox.engine.runtime = "no-such-runtime"
    with pytest.raises(SandboxFailed, match=r"has only .*runc"):
        check_runtime(sandbox.engine, sandbox.instance, base_image)
    assert {each.name: each.state for each in protections(sandbox, base_image)}["gVisor"] is (
        State.MISSING
    )
