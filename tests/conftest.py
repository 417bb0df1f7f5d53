"""Fixtures that tests of several rooms share: the container engine and a base image."""

import os
import socket
from collections.abc import Iterator
from typing import NoReturn

import docker
import pytest
from docker.errors import DockerException, ImageNotFound

BASE_IMAGE = "claim-arena-test-base:bookworm"


def missing(what: str) -> NoReturn:
    """Skip the test, or fail it where ARENA_TEST_REQUIRE_ALL=1 says that nothing may be missing."""
    if os.environ.get("ARENA_TEST_REQUIRE_ALL") == "1":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.APIClient]:
    """A client of the container engine; without an engine the test is skipped, or fails."""
    host = os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"
    try:
        # docker-py leaves the socket of a failed connection open, so try with one of our own.
        with socket.socket(socket.AF_UNIX) as knock:
            knock.connect(host.removeprefix("unix://"))
        client = docker.APIClient(host, version="auto", timeout=20)
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
