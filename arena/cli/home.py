"""The arena's store, for the commands that need one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from arena.app.home import open_store
from arena.store import Store


@contextmanager
def store() -> Iterator[Store]:
    """The arena's store, as ``--home`` or ``ARENA_HOME`` says."""
    with closing(open_store()) as opened:
        yield opened
