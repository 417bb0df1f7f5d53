"""A container runtime of one's own choice is tried before bots are put into it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from arena.sandbox.engine import ContainerState, Engine
from arena.sandbox.errors import SandboxFailed
from arena.sandbox.folders import mounts_below
from arena.sandbox.instance import Instance
from arena.sandbox.runtime import check_runtime

CONTAINER = "c0ffee" * 10 + "c0de"


class Broken:
    """An engine whose runtime fails, and leaves two processes behind each time."""

    def __init__(self, runtime: str | None = "broken", says: str | None = None) -> None:
        self.runtime = runtime
        self.leaked: list[subprocess.Popen[bytes]] = []
        self.there: set[str] = set()
        self._says = says

    def info(self) -> dict[str, Any]:
        return {"Runtimes": {"runc": {}, "broken": {}}}

    def create(self, name: str, config: dict[str, Any]) -> str:
        assert config["HostConfig"]["ReadonlyRootfs"]
        self.there.add(name)
        return CONTAINER

    def start(self, name: str) -> None:
        for part in ("sandbox", "gofer"):
            command = ["sh", "-c", "sleep 100; true", f"{part}-{CONTAINER}"]
            self.leaked.append(subprocess.Popen(command))
        if self._says is None:
            raise SandboxFailed("the container engine can't start a container:\ncgroups: no such")

    def state(self, name: str) -> ContainerState:
        return ContainerState(False, 0, 0, False, "")

    def log(self, name: str) -> bytes:
        return (self._says or "").encode()

    def remove(self, name: str) -> None:
        self.there.discard(name)


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[Instance]:
    """A run."""
    with Instance.create(tmp_path / "run", "store") as made:
        yield made


def trial(engine: Broken, instance: Instance) -> None:
    """Try the runtime."""
    check_runtime(cast("Engine", engine), instance, "image")


def test_nothing_is_tried_where_no_runtime_was_asked_for(instance: Instance) -> None:
    """The engine's own is not ours to check."""
    engine = Broken(None)
    trial(engine, instance)
    assert engine.leaked == []


def test_a_runtime_that_the_engine_does_not_know_is_refused_in_one_line(
    instance: Instance,
) -> None:
    """And the line says which ones it has, and what to do."""
    with pytest.raises(SandboxFailed) as refused:
        trial(Broken("runsc"), instance)
    assert refused.value.detail == (
        "ARENA_CONTAINER_RUNTIME=runsc doesn't work here: the container engine has only broken, "
        "runc; mend that, or unset the variable to use the engine's own runtime"
    )


@pytest.mark.parametrize("says", [None, "oops", ""])
def test_a_runtime_that_fails_is_refused_and_leaves_nothing(
    instance: Instance, says: str | None
) -> None:
    """One line; its container, mount and folder are gone, and the processes that it leaked."""
    engine = Broken(says=says)
    with pytest.raises(SandboxFailed, match=r"^ARENA_CONTAINER_RUNTIME=broken .*unset") as refused:
        trial(engine, instance)
    assert "\n" not in refused.value.detail
    assert [process.wait(5) for process in engine.leaked] == [-9, -9]
    assert engine.there == set()
    assert list(mounts_below(instance.path)) == []
    assert [entry.name for entry in instance.folder.iterdir()] == ["lock"]


def test_a_runtime_that_runs_programs_is_taken(instance: Instance) -> None:
    """What its program printed is the proof."""
    engine = Broken(says="it runs\n")
    trial(engine, instance)
    for process in engine.leaked:
        process.wait(5)
    assert engine.there == set()


def test_containers_are_made_in_the_runtime_that_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever makes them: the variable reaches the match workers, too."""
    monkeypatch.setenv("ARENA_CONTAINER_RUNTIME", "runsc")
    assert Engine().runtime == "runsc"
    monkeypatch.setenv("ARENA_CONTAINER_RUNTIME", "")
    assert Engine().runtime is None
