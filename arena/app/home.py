"""One person's arena: a store, and a membership in it for as long as something is played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.sandbox.errors import SandboxFailed
from arena.sandbox.instance import Instance
from arena.sandbox.reap import Reaped, reap
from arena.store import Store


@contextmanager
def instance(store: Store, *, containers: bool) -> Iterator[Instance]:
    """Begin a run: clean up after runs that were killed, then be a run of one's own.

    Containers, mounts and folders of other runs that are alive are never touched.  A run that
    needs no ``containers`` goes on where the engine refuses; the next one that does cleans up.
    """
    try:
        clean_up(store)
    except SandboxFailed:
        if containers:
            raise
    with Instance.create(store.run_folder, store.id) as member:
        yield member


def clean_up(store: Store) -> Reaped:
    """Remove what killed runs of this store left behind."""
    return reap(store.id, store.run_folder)


def open_store(home: Path | None = None) -> Store:
    """Open the store in ``home``, by default where ``ARENA_HOME`` says or the user's data lies."""
    return Store.open(home)
