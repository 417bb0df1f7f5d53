"""Fixtures that tests of several rooms share: container engine, base image, PostgreSQL."""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import docker
import hypothesis
import pytest
from docker.errors import DockerException, ImageNotFound
from sqlalchemy import URL, create_engine, text

from arena.sandbox.engine import DEFAULT_HOST
from arena.store import Store
from tests.postgresql import NoServerError, Server, server
from tests.services import missing
from tests.wire import Wire

# Whoever runs the tests may have an arena of their own, which they must not touch.
os.environ.pop("ARENA_DATABASE", None)

# How long an example takes is this machine's business, and other tests run beside it.
hypothesis.settings.register_profile("arena", deadline=None)
hypothesis.settings.load_profile("arena")

BASE_IMAGE = "claim-arena-test-base:bookworm"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of the test's own."""
    with Store.open(tmp_path / "home") as opened:
        yield opened


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.APIClient]:
    """A client of the container engine; without an engine the test is skipped, or fails."""
    host = os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"
    try:
        # docker-py leaves the socket of a failed connection open, so try with one of our own.
        with socket.socket(socket.AF_UNIX) as knock:
            knock.connect(host.removeprefix("unix://"))
        client = docker.APIClient(host, version="auto", timeout=120)
    except (OSError, DockerException) as error:
        missing(f"no container engine answers at {host}: {error}")
    yield client
    client.close()


@pytest.fixture(scope="session")
def base_image(engine: docker.APIClient) -> str:
    """The name of a Debian image with python3, without the SDK."""
    name = os.environ.get("ARENA_TEST_BASE_IMAGE", BASE_IMAGE)
    try:
        engine.inspect_image(name)  # type: ignore[no-untyped-call]
    except ImageNotFound:
        missing(f"no image {name}: import a root file system with python3, or set another name")
    return name


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server of our own; without its programs the test is skipped, or fails."""
    try:
        started = server()
        running = started.__enter__()
    except NoServerError as error:
        missing(str(error))
    yield running
    started.__exit__(None, None, None)


_schemas = count(1)


@pytest.fixture
def postgres_url(postgres: Server) -> URL:
    """What is as good as an empty database of its own: a schema, which costs the disk far less."""
    name = f"test{next(_schemas)}"
    engine = create_engine(postgres.url())
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
    engine.dispose()
    return postgres.url(name)


@pytest.fixture
def wire(engine: docker.APIClient) -> Iterator[Wire]:
    """A wire to the real engine, which whoever likes may use."""
    folder = Path(tempfile.mkdtemp(prefix="arena-test-"))
    made = Wire(folder / "engine.sock", os.environ.get("DOCKER_HOST", DEFAULT_HOST))
    made.mend()
    folder.chmod(0o755)
    made.path.chmod(0o777)
    yield made
    made.close()
    shutil.rmtree(folder)
