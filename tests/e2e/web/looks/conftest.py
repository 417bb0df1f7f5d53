"""An arena with something of everything, and the ways to look at it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import pytest

from arena.games import GAMES
from arena.store import Store
from arena.web import make_pages
from arena.web.addresses import ranking
from tests.e2e.web import showcase
from tests.e2e.web.conftest import Served, served
from tests.e2e.web.looks.looking import LOOKS, Look
from tests.e2e.web.showcase import Showcase
from tests.unit.web.conftest import Patience


@pytest.fixture(params=LOOKS)
def look(request: pytest.FixtureRequest, pictures: Path | None) -> Look:
    """Each way to look at a page."""
    one: Look = request.param
    return replace(one, pictures=pictures)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Showcase]]:
    """An arena with something of everything."""
    with Store.open(tmp_path_factory.mktemp("showcase") / "home") as store:
        yield store, showcase.fill(store)


@pytest.fixture(scope="module")
def arena(shown: tuple[Store, Showcase]) -> Iterator[Served]:
    """The same, served, for the readers of this module."""
    store, made = shown
    pages = make_pages(store, wrong_tokens=Patience(), conductor=made.stage)  # type: ignore[arg-type]
    with served(pages) as base:
        for game in GAMES:
            # It is worked out now: pages of bots don't wait for that.
            urlopen(base + ranking(game)).close()  # noqa: S310
        yield Served(base, store, made.secrets)
