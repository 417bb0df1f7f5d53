"""Arenas for the tests of the command: without a container engine, and with the machine's."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from tests.integration.cli.arenas import NO_ENGINE, Arena


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """An arena that finds no container engine; whatever it leaves behind is ended."""
    here = tmp_path / "here"
    here.mkdir()
    made = Arena(tmp_path / "home", here, {"DOCKER_HOST": NO_ENGINE})
    yield made
    for process in made.processes():
        os.kill(process, signal.SIGKILL)


@pytest.fixture
def docker_arena(arena: Arena, engine: docker.APIClient, base_image: str) -> Arena:
    """An arena with the machine's container engine and a base image that can be made there."""
    del arena.env["DOCKER_HOST"]
    arena.env["ARENA_PYTHON_IMAGE"] = base_image
    return arena
