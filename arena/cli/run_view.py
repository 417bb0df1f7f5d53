"""A tournament being run, as a person at a terminal sees it."""

from __future__ import annotations

import asyncio
import shlex

from arena.app import tournaments
from arena.cli.console import counted, note, program
from arena.cli.progress import Bar, bar
from arena.cli.stopped import can_go_on
from arena.store import MAX_ATTEMPTS, Progress, Store
from arena.tournament.job import Voided
from arena.tournament.runner import Step


def run_with_bar(store: Store, name: str, workers: int | None) -> None:
    """Run a tournament, with a bar where somebody looks; the lines beside it are notes."""
    how = f"{program()} tournament run {shlex.quote(name)}"
    with can_go_on(how), tournaments.run(store, name, tell=note) as run, bar(name) as shown:
        view = _View(shown)
        view.begin(run.before)
        asyncio.run(run.play(workers=workers, on_step=view.step))


class _View:
    """Follows a run."""

    def __init__(self, shown: Bar) -> None:
        self._bar = shown

    def begin(self, at: Progress) -> None:
        """Say how much there is to do."""
        if at.done:
            self._bar.note(f"going on: {counted(at.done, 'match', 'matches')} played before")
        self._bar.begin(at.done + at.holes, at.matches)

    def step(self, step: Step) -> None:
        """A match has ended, or was spoilt."""
        self._bar.move(step.progress.done + step.progress.holes)
        if isinstance(step.outcome, Voided):
            again = "given up" if step.match.attempts + 1 >= MAX_ATTEMPTS else "it is played again"
            self._bar.note(f"match {step.match.id} was spoilt, {again}: {step.outcome.detail}")
