"""Every test here runs on every kind of database that a store may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import URL

from arena.store import Store, Tournament
from arena.store.testing import make_tournament


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> URL:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return URL.create("sqlite", database=str(tmp_path / "arena.db"))
    url: URL = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def open_store(database: URL, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens one and the same store, as often as it is called, as another process would."""
    with ExitStack() as opened:
        yield lambda: opened.enter_context(Store(tmp_path, database, busy_timeout=10))


@pytest.fixture
def store(open_store: Callable[[], Store]) -> Store:
    """An empty store."""
    return open_store()


@pytest.fixture
def cup(store: Store) -> Tournament:
    """A tournament of two bots and three blocks in `store`, no match played."""
    return make_tournament(store)
