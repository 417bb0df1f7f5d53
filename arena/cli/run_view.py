"""A tournament being run, as a person at a terminal sees it."""

from __future__ import annotations

import shlex

from arena.app.rankings.waves import Clarity
from arena.app.tournaments import running
from arena.cli import signals
from arena.cli.clarity_view import open_line
from arena.cli.console import counted, note, program
from arena.cli.progress import Bar, bar
from arena.cli.stopped import can_go_on
from arena.store import MAX_ATTEMPTS, Progress, Store, Tournament
from arena.tournament.job import Voided
from arena.tournament.runner import Step


def run_with_bar(store: Store, name: str, workers: int | None) -> None:
    """Run a tournament, with a bar where somebody looks; the lines beside it are notes."""
    how = f"{program()} tournament run {shlex.quote(name)}"
    with can_go_on(how), running.run(store, name, tell=note) as run, bar(name) as shown:
        view = _View(shown, run.it.tournament)
        view.begin(run.it.before)
        signals.run(run.play(workers=workers, on_step=view.step, on_wave=view.wave))


class _View:
    """Follows a run."""

    def __init__(self, shown: Bar, tournament: Tournament) -> None:
        self._bar = shown
        self._tournament = tournament
        self._open: set[frozenset[int]] = set()

    def begin(self, at: Progress) -> None:
        """Say how much there is to do."""
        if at.done and at.pending:
            self._bar.note(f"going on: {counted(at.done, 'match', 'matches')} played before")
        adaptive = self._tournament.until_clear is not None
        most = self._tournament.blocks * self._tournament.table_size
        self._bar.begin(at.ended, most if adaptive else at.matches)

    def wave(self, clarity: Clarity) -> None:
        """An adaptive tournament goes on; told whenever others are to be told apart."""
        now = {frozenset((pair.better, pair.worse)) for pair in clarity.separation.open}
        if now != self._open:
            self._bar.note(open_line(self._tournament, clarity))
        self._open = now

    def step(self, step: Step) -> None:
        """A match has ended, or was spoilt."""
        self._bar.move(step.progress.ended)
        if isinstance(step.outcome, Voided):
            again = "given up" if step.match.attempts + 1 >= MAX_ATTEMPTS else "it is played again"
            self._bar.note(f"match {step.match.id} was spoilt, {again}: {step.outcome.detail}")
