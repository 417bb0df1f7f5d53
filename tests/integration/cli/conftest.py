"""Arenas for the tests of the command: without a container engine, and with the machine's."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from tests.integration.cli.arenas import NO_ENGINE, Arena

#: The machine's own engine, before a test hides it.
ENGINE = os.environ.get("DOCKER_HOST")


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Arena]:
    """An arena that finds no container engine; whatever it leaves behind is ended."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.setenv("DOCKER_HOST", NO_ENGINE)
    made = Arena(tmp_path / "home", here, monkeypatch)
    yield made
    for process in made.processes():
        os.kill(process, signal.SIGKILL)


@pytest.fixture
def docker_arena(
    arena: Arena, engine: docker.APIClient, base_image: str, monkeypatch: pytest.MonkeyPatch
) -> Arena:
    """An arena with the machine's container engine and a base image that can be made there."""
    if ENGINE is None:
        monkeypatch.delenv("DOCKER_HOST")
    else:
        monkeypatch.setenv("DOCKER_HOST", ENGINE)
    monkeypatch.setenv("ARENA_PYTHON_IMAGE", base_image)
    return arena
