"""A bar on standard error while matches are played: how many, how fast, how long still."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from arena.cli.console import notes
from arena.cli.text import clean


class _Rate(ProgressColumn):
    """Matches a minute, from when the first one was begun."""

    def render(self, task: Task) -> Text:
        """Show nothing before the first match has ended."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed * 60:.0f} matches/min", "dim")


@dataclass(slots=True)
class Bar:
    """One bar; does nothing where there is no terminal."""

    _progress: Progress
    _task: TaskID

    def begin(self, done: int, total: int) -> None:
        """Say how far it is before the first match."""
        self._progress.reset(self._task, completed=done, total=total)

    def move(self, done: int) -> None:
        """Say how many matches are done."""
        self._progress.update(self._task, completed=done)

    def note(self, line: str) -> None:
        """Tell something above the bar."""
        self._progress.console.print(Text(clean(line), "dim"))


@contextmanager
def bar(what: str, total: int | None = None) -> Iterator[Bar]:
    """Show a bar for as long as the block runs; it leaves no trace."""
    console = notes()
    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with progress:
        yield Bar(progress, progress.add_task(clean(what), total=total))
