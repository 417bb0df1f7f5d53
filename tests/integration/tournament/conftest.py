"""A store, a run of it, and images that are gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import docker
import pytest
from docker.errors import APIError

from arena.app.home import instance
from arena.sandbox.instance import Instance
from arena.store import Store


@pytest.fixture
def member(store: Store) -> Iterator[Instance]:
    """A run of the arena."""
    with instance(store, containers=True) as member:
        yield member


@pytest.fixture
def image(
    base_image: str, engine: docker.APIClient, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """The arena makes its base image from the tests' one; the bots' images go afterwards."""
    monkeypatch.setenv("ARENA_PYTHON_IMAGE", base_image)
    before = {found["Id"] for found in engine.images("claim-arena/bot")}
    yield
    for found in engine.images("claim-arena/bot"):
        if found["Id"] not in before:
            with suppress(APIError):  # it is another run's, and in use
                engine.remove_image(found["Id"])
