"""Every test here runs on every kind of database that a store may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import make_url

from arena.store import Store, Tournament
from arena.store.testing import make_tournament

DATABASES = ["sqlite:///{folder}/arena.db"]
"""Where the suite runs; another kind of database becomes one more line."""


@pytest.fixture(params=DATABASES, ids=lambda url: str(url).partition(":")[0])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens one and the same store, as often as it is called, as another process would."""
    url = make_url(request.param.format(folder=tmp_path))
    with ExitStack() as opened:
        yield lambda: opened.enter_context(Store(tmp_path, url, busy_timeout=10))


@pytest.fixture
def store(open_store: Callable[[], Store]) -> Store:
    """An empty store."""
    return open_store()


@pytest.fixture
def cup(store: Store) -> Tournament:
    """A tournament of two bots and three blocks in `store`, no match played."""
    return make_tournament(store)
