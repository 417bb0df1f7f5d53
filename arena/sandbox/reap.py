"""Cleaning up after an arena that was killed: only what is dead, and only of this store.

Dead is what nobody's lock holds (see `instance`). It is right at any time and as often as one
likes, also while other runs of the same store, or of other stores, are alive beside it.
"""

import os
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from arena.sandbox.engine import Engine
from arena.sandbox.errors import EngineUnavailable
from arena.sandbox.folders import SOCKET_NAME, mounts_below, remove_tree, unmount
from arena.sandbox.instance import LABEL_PREFIX, Instance, if_dead, store_labels
from arena.sandbox.leases import release_dead
from arena.sandbox.slots import slot_leases
from arena.sandbox.stragglers import kill_all
from arena.sandbox.uids import MACHINE_UIDS


@dataclass(slots=True)
class Reaped:
    """How much was cleaned up."""

    runs: int = 0
    """Dead runs, or dead processes of a living run."""
    containers: int = 0
    mounts: int = 0
    uids: int = 0
    engine_answered: bool = True
    """False: what may still have containers was left for the next time."""


def reap(
    store_id: str, runtime_dir: Path, *, host: str | None = None, uids: Path = MACHINE_UIDS
) -> Reaped:
    """Clean up after all dead runs of this store; to be called when an arena starts.

    Without an engine it cleans what needs none. Raises `SandboxFailed` if the engine refuses.
    """
    runtime_dir = runtime_dir.resolve()
    with closing(Engine(host)) as engine:
        sweep = _Sweep(engine, store_labels(runtime_dir, store_id), uids)
        for run in _folders(runtime_dir):
            if if_dead(run, partial(sweep.run, run)):
                sweep.done.runs += 1
        sweep.orphans(runtime_dir)
        sweep.leases_below(runtime_dir)
    return sweep.done


def reap_workers(
    instance: Instance, *, host: str | None = None, uids: Path = MACHINE_UIDS
) -> Reaped:
    """Clean up after the dead processes of one's own living run, such as a killed worker."""
    with closing(Engine(host)) as engine:
        labels = store_labels(instance.path.parent, instance.store_id)
        sweep = _Sweep(engine, labels, uids)
        for process in _folders(instance.path):
            if if_dead(process, partial(sweep.process, process)):
                sweep.done.runs += 1
        sweep.leases_below(instance.path)
    return sweep.done


class _Sweep:
    """One cleaning; counts what it does in `done`."""

    def __init__(self, engine: Engine, labels: Mapping[str, str], uids: Path) -> None:
        self.done = Reaped()
        self._engine = engine
        self._labels = labels
        self._uids = uids

    def run(self, folder: Path) -> bool:
        """Clean up after all processes of a dead run; whether nothing is left."""
        for process in _folders(folder):
            if not self.process(process):
                return False
            remove_tree(process)
        return True

    def process(self, folder: Path) -> bool:
        """Clean up after one dead process, but for its lock; whether nothing is left."""
        wanted = {
            LABEL_PREFIX + "instance": folder.parent.name,
            LABEL_PREFIX + "process": folder.name,
        }
        bots = _folders(folder)
        if not self._remove_containers(wanted) and bots:
            return False
        for mount in mounts_below(folder):
            self.done.mounts += unmount(mount)
        for bot in bots:
            remove_tree(bot)
        for link in (entry for entry in folder.iterdir() if entry.is_symlink()):
            _clean_process_bot(link)
        return True

    def orphans(self, runtime_dir: Path) -> None:
        """Remove containers of runs that have no folder any more.

        An engine that is slow to create one may do so after its run's death was cleaned up.
        """
        self._remove_containers({}, unless_in=runtime_dir)

    def leases_below(self, folder: Path) -> None:
        """Give back what processes below this folder had that have no folder any more."""
        self.done.uids += self._give_back(self._uids, folder)
        self._give_back(slot_leases(self._uids), folder)

    def _give_back(self, leases: Path, folder: Path) -> int:
        if not (self.done.engine_answered and os.access(leases, os.R_OK | os.W_OK | os.X_OK)):
            return 0
        return release_dead(
            leases, lambda owner: Path(owner).is_relative_to(folder) and not Path(owner).exists()
        )

    def _remove_containers(
        self, wanted: Mapping[str, str], *, unless_in: Path | None = None
    ) -> bool:
        """Remove the containers with these labels; False if the engine doesn't answer."""
        try:
            for container in self._engine.find({**self._labels, **wanted}):
                run = container.labels[LABEL_PREFIX + "instance"]
                if unless_in is None or not (unless_in / run).exists():
                    self._engine.remove(container.name)
                    self.done.containers += 1
        except EngineUnavailable:
            self.done.engine_answered = False
        return self.done.engine_answered


def _folders(folder: Path) -> list[Path]:
    if not folder.exists():
        return []
    return sorted(entry for entry in folder.iterdir() if entry.is_dir() and not entry.is_symlink())


def _clean_process_bot(link: Path) -> None:
    """Kill what is left of a bot without a container, and remove its socket's folder."""
    folder = link.readlink()
    kill_all(f"unix:{folder / SOCKET_NAME}")
    remove_tree(folder)
    link.unlink()
