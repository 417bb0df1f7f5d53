"""The whole arena as one file, and an arena from such a file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from arena.store import Store
from arena.store.backup import Manifest
from arena.store.restore import restore as restore_store


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup's file and what it holds; `size` is the file's, in bytes."""

    path: Path
    taken: datetime
    tournaments: int
    results: int
    versions: int
    size: int


def back_up(store: Store, target: Path) -> Backup:
    """Write a backup of everything, as of now, to the new file ``target``.

    Tournaments may be played meanwhile. Raises what the store raises.
    """
    return _told(target, store.back_up(target))


def restore(source: Path, home: Path | None = None) -> Backup:
    """Put a backup into the empty store in ``home``, by default where ``ARENA_HOME`` says.

    Raises what the store raises.
    """
    return _told(source, restore_store(source, home))


def _told(path: Path, manifest: Manifest) -> Backup:
    return Backup(
        path=path,
        taken=datetime.fromisoformat(manifest.created),
        tournaments=manifest.tables["tournaments"].rows,
        results=manifest.tables["results"].rows,
        versions=manifest.tables["versions"].rows,
        size=path.stat().st_size,
    )
