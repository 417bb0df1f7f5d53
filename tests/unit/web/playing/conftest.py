"""Pages of an arena with a house in which people play."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from starlette.applications import Starlette

from arena.store import Store
from arena.web import make_pages
from tests.unit.web.asking import Browser
from tests.unit.web.conftest import Patience
from tests.unit.web.playing.house import House, Stage


@pytest.fixture
def stage(store: Store) -> Stage:
    """What plays."""
    return Stage(store)


@pytest.fixture
def house(stage: Stage) -> House:
    """Where people play."""
    return stage.people


@pytest.fixture
def pages(store: Store, patience: Patience, stage: Stage) -> Starlette:
    """The pages."""
    return make_pages(store, wrong_tokens=patience, conductor=stage)  # type: ignore[arg-type]


@pytest.fixture
def ana(signed_in: Callable[[str], Browser]) -> Browser:
    """A person's."""
    return signed_in("ana")
