"""An arena as its own machine sees it, and a server of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integration.cli.arenas import NO_ENGINE, Arena
from tests.integration.client.serving import Serving, serving


@pytest.fixture(scope="module")
def new_arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """One with nothing in it, no container engine and nobody's settings, to make `arena` of."""
    folder = tmp_path_factory.mktemp("arena")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCKER_HOST", NO_ENGINE)
        patch.setenv("XDG_CONFIG_HOME", str(folder / "settings"))
        for name in ("ARENA_SERVER", "ARENA_PROFILE", "ARENA_TOKEN"):
            patch.delenv(name, raising=False)
        yield Arena(folder / "home", folder, patch)


@pytest.fixture(scope="module")
def server(arena: Arena) -> Iterator[Serving]:
    """A server of the module's arena."""
    with serving(arena.home, calls_at_once=10_000, spectator_calls_at_once=10_000) as up:
        yield up
