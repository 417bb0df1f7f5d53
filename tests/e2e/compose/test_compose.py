"""The arena's own image and compose.yaml: built, started, played in, and taken down."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest
from sqlalchemy import create_engine, text

from arena.app.bots import lodging
from arena.app.home import instance, open_store
from arena.tournament.job import Lodging
from tests.integration.tournament.conftest import image
from tests.postgresql import Server
from tests.services import missing

ROOT = Path(__file__).parents[3]
SAMPLES = "/opt/claim-arena/arena/data/sample_bots"

__all__ = ["image"]

pytestmark = [pytest.mark.docker, pytest.mark.timeout(600)]


class Compose:
    """One project of compose.yaml, beside any other on this machine."""

    def __init__(self, name: str, env: dict[str, str]) -> None:
        self.name = name
        self._env = {**os.environ, **env}

    def __call__(self, *words: str) -> str:
        """Run one of its commands; what it says."""
        files = [ROOT / "compose.yaml", Path(__file__).with_name("override.yaml")]
        told = [word for file in files for word in ("--file", str(file))]
        command = [*_program(), "--project-name", self.name, *told, *words]
        done = subprocess.run(
            command, env=self._env, cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def arena(self, *words: str) -> str:
        """An `arena` command in the arena's container."""
        return self("exec", "-T", "arena", "arena", *words)


def _program() -> list[str]:
    if shutil.which("docker-compose"):
        return ["docker-compose"]
    plugin = ["docker", "compose"]
    if (
        shutil.which("docker") is None
        or subprocess.run([*plugin, "version"], capture_output=True, check=False).returncode
    ):
        missing("no docker-compose: install it with your system's packages")
    return plugin


@pytest.fixture(scope="module")
def own_image(engine: docker.APIClient, base_image: str) -> Iterator[str]:
    """The arena's image, made as `make image` does."""
    tag = f"claim-arena-test-own:{uuid.uuid4().hex[:12]}"
    subprocess.run([ROOT / "tools" / "make-image", tag, base_image], cwd=ROOT, check=True)
    yield tag
    engine.remove_image(tag, force=True)


@pytest.fixture
def database(postgres: Server) -> Iterator[str]:
    """The folder with the socket of a server that has a database called arena."""
    url = postgres.url()
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("CREATE DATABASE arena"))
    yield str(url.query["host"])
    with engine.connect() as connection:
        connection.execute(text("DROP DATABASE arena WITH (FORCE)"))
    engine.dispose()


@pytest.fixture
def bots_base(image: None, tmp_path: Path) -> None:
    """What bots run on is there already: the arena's container has no network to fetch it."""
    with open_store(tmp_path / "home") as store, instance(store, containers=True) as member:
        choice = lodging.choose(member, print)
    assert choice.lodging is Lodging.DOCKER, choice.why


@pytest.fixture
def compose(own_image: str, database: str, bots_base: None) -> Iterator[Compose]:
    """The arena as a container, on a PostgreSQL of the tests'."""
    name = f"arena-test-{uuid.uuid4().hex[:8]}"
    engine_socket = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    made = Compose(
        name,
        {
            "ARENA_IMAGE": own_image,
            "ARENA_SLOT": f"{name}-slot",
            "DOCKER_SOCKET": engine_socket.removeprefix("unix://"),
            "TEST_DATABASE_SOCKET": database,
        },
    )
    try:
        made("up", "--detach", "--no-deps", "arena")
        yield made
    finally:
        made("down", "--volumes")


def until_ready(compose: Compose) -> None:
    """Wait until the server says that it is ready."""
    ask = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:7480/readyz').status)"
    deadline = time.monotonic() + 120
    while True:
        try:
            assert compose("exec", "-T", "arena", "python3", "-c", ask).strip() == "200"
        except AssertionError:
            if time.monotonic() > deadline:
                pytest.fail(compose("logs", "arena"))
            time.sleep(1)
        else:
            return


def test_the_arena_runs_in_a_container_beside_its_bots(
    compose: Compose, engine: docker.APIClient
) -> None:
    """It serves, takes a bot until it is ready, plays in containers of its own making, and goes."""
    until_ready(compose)
    doctor = json.loads(compose.arena("doctor", "--json"))
    assert "32 small volumes" in json.dumps(doctor)
    compose.arena("bot", "submit", f"{SAMPLES}/greedy", "--server", "127.0.0.1:7433")
    played = json.loads(
        compose.arena("play", "greedy", "random", "--game", "claims", "--matches", "2", "--json")
    )
    assert played["sandbox"] == "docker"
    assert all(not seat["faults"] for match in played["matches"] for seat in match["seats"])
    compose("stop")
    assert "stopped" in compose("logs", "arena")
    assert engine.containers(filters={"name": f"{compose.name}-slot"}) == []
