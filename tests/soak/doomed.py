"""Run as a program: the `arena` command, which kills itself with SIGKILL when it comes to a point.

    ARENA_KILL="result: recorded, not told" ARENA_KILL_COUNT=2 ARENA_KILLED=FILE doomed.py serve

POINTS names them; each is before or after a function of the arena's. What the process came to is
written to FILE first, so that whoever started it knows that the kill hit what it was meant for.
"""

from __future__ import annotations

import functools
import inspect
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

IN_PLAY = 0.15
"""Seconds that a match has been in play when it is cut off."""


@dataclass(frozen=True)
class Point:
    """Before or after a call of `function`, as `module:name`; `when` looks at its arguments.

    With `late` the process lives so many seconds more.
    """

    function: str
    after: bool = False
    when: Callable[..., bool] = lambda *_, **__: True
    late: float = 0.0


def _state(name: str) -> Callable[..., bool]:
    return lambda _self, _id, state, **_: state.value == name


def _started(_self: object, what: str, _match: object) -> bool:
    return what == "started"


def _in_tmp(path: Path, _target: object) -> bool:
    return path.parent.name == "tmp"


_CONDUCTOR = "arena.app.conducting.conductor:Conductor"
_CONDUCTED = "arena.app.conducting.conducted:Conducted"
_WORKSHOP = "arena.app.conducting.workshop:Workshop"
_STORE = "arena.store.store:Store"
_SUBMISSIONS = "arena.store.submissions:Submissions"

POINTS = {
    "start: store opened": Point("arena.store.store:prepare", after=True),
    "start: store leased": Point("arena.app.accounts:first_admin"),
    "start: the dead cleaned up after": Point(f"{_CONDUCTOR}._clean", after=True),
    "start: a worker begins": Point("arena.tournament.executor:LocalExecutor._hire"),
    "start: a worker is ready": Point("arena.tournament.executor:LocalExecutor._hire", after=True),
    "image: built, not committed": Point("arena.submissions.engine:Draft.commit"),
    "image: committed": Point("arena.submissions.engine:Draft.commit", after=True),
    "submission: before checked": Point(f"{_SUBMISSIONS}.advance", when=_state("checked")),
    "submission: checked": Point(f"{_SUBMISSIONS}.advance", after=True, when=_state("checked")),
    "submission: before qualifying": Point(f"{_SUBMISSIONS}.advance", when=_state("qualifying")),
    "submission: in play": Point(f"{_WORKSHOP}._match", when=_started, late=IN_PLAY),
    "submission: before ready": Point(f"{_SUBMISSIONS}.ready"),
    "submission: ready": Point(f"{_SUBMISSIONS}.ready", after=True),
    "match: in play": Point(f"{_CONDUCTED}._match", when=_started, late=IN_PLAY),
    "result: played, not kept": Point(f"{_STORE}.record_result"),
    "result: blob written, not named": Point("pathlib:Path.replace", when=_in_tmp),
    "result: blob named, not synced": Point("arena.store.blobs:sync_folder"),
    "result: blobs kept, not recorded": Point("arena.store.results:record"),
    "result: recorded, not committed": Point("arena.store.results:record", after=True),
    "result: committed, not told": Point(f"{_STORE}.record_result", after=True),
    "result: told, not published": Point(f"{_CONDUCTED}._step"),
    "transaction: before any commit": Point("sqlalchemy.orm:Session.commit"),
    "transaction: after any commit": Point("sqlalchemy.orm:Session.commit", after=True),
    "wave: chosen, not added": Point(f"{_STORE}.extend_schedule"),
    "wave: added": Point(f"{_STORE}.extend_schedule", after=True),
    "wave: none left, not noted": Point(f"{_STORE}.end_schedule"),
    "wave: none left, noted": Point(f"{_STORE}.end_schedule", after=True),
    "end: played out, not told": Point(f"{_CONDUCTOR}._ended"),
    "draw: before": Point("arena.store.entering:Entering.draw"),
    "draw: done, not answered": Point("arena.store.entering:Entering.draw", after=True),
    "run: before": Point("arena.store.running:Running.want"),
    "run: wanted, not answered": Point("arena.store.running:Running.want", after=True),
    "cancel: before": Point(f"{_STORE}.cancel"),
    "cancel: done, not answered": Point(f"{_STORE}.cancel", after=True),
    "prune: decided, nothing removed": Point("arena.store.blobs:BlobFolder.remove"),
    "backup: half written": Point("arena.store.backup:_Archive.add"),
    "backup: written, not named": Point("arena.store.backup:_Archive.finish", after=True),
    "backup: named": Point("arena.store.backup:sync_folder"),
}


class Killer:
    """Kills this process at the `count`th time that it comes to the point."""

    def __init__(self, name: str, point: Point, count: int) -> None:
        self._name = name
        self._point = point
        self._left = count
        self._guard = threading.Lock()

    def plant(self) -> None:
        """Put itself before or after the function."""
        module, _, path = self._point.function.partition(":")
        owner: Any = import_module(module)
        *outer, name = path.split(".")
        for part in outer:
            owner = getattr(owner, part)
        setattr(owner, name, self._wrapped(getattr(owner, name)))

    def _wrapped(self, inner: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.iscoroutinefunction(inner):

            @functools.wraps(inner)
            async def call_async(*args: Any, **kwargs: Any) -> Any:
                self._come(after=False, args=args, kwargs=kwargs)
                result = await inner(*args, **kwargs)
                self._come(after=True, args=args, kwargs=kwargs)
                return result

            return call_async

        @functools.wraps(inner)
        def call(*args: Any, **kwargs: Any) -> Any:
            self._come(after=False, args=args, kwargs=kwargs)
            result = inner(*args, **kwargs)
            self._come(after=True, args=args, kwargs=kwargs)
            return result

        return call

    def _come(self, *, after: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if after is not self._point.after or not self._point.when(*args, **kwargs):
            return
        with self._guard:
            self._left -= 1
            if self._left:
                return
        if self._point.late:
            threading.Timer(self._point.late, self._kill).start()
        else:
            self._kill()

    def _kill(self) -> None:
        Path(os.environ["ARENA_KILLED"]).write_text(self._name)
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Be the `arena` command, until the point."""
    name = os.environ["ARENA_KILL"]
    from arena.cli.entry import main as arena  # noqa: PLC0415 - only where it is the program

    Killer(name, POINTS[name], int(os.environ["ARENA_KILL_COUNT"])).plant()
    arena()


if __name__ == "__main__":
    main()
