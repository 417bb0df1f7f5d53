"""``arena tournament run`` and ``watch``: a tournament while it is played, here or on a server."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from arena.app.desk import Asked, Desk, News
from arena.app.errors import WrongCall
from arena.app.exports import documents
from arena.cli.console import counted, program, say, show_json
from arena.cli.home import store
from arena.cli.options import Home, Json, Workers
from arena.cli.overview_view import show_overview
from arena.cli.progress import Bar, bar
from arena.cli.run_view import run_with_bar
from arena.cli.stopped import Stopped
from arena.cli.where import Profile, Server, desk, is_remote, said, server_desk
from arena.store import Tournament, TournamentState

Name = Annotated[str, typer.Argument(metavar="NAME", help="The tournament's name.")]


def add_to(app: typer.Typer) -> None:
    """Make these commands of the group."""
    app.command("run")(_run)
    app.command("watch")(_watch)


def _run(
    name: Name,
    workers: Workers = None,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Play what is pending; may be stopped anywhere and called again.

    A server plays it by itself, and goes on if this command is stopped.
    """
    if is_remote():
        if workers is not None:
            raise WrongCall("a server has match workers of its own: leave --workers out")
        with server_desk() as asked:
            asked.run(name)
            _follow(asked, name, "the server plays on")
            _show(asked, name, json=json)
        return
    with store() as opened:
        run_with_bar(opened, name, workers)
    with desk() as asked:
        _show(asked, name, json=json)


def _watch(
    name: Name,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Follow a tournament that is played until it has ended, then show it."""
    with desk() as asked:
        _follow(asked, name, "it goes on being played")
        _show(asked, name, json=json)


def _show(asked: Desk, name: str, *, json: bool) -> None:
    overview, _ = asked.overview(name, Asked())
    if json:
        show_json(documents.tournament(overview))
    else:
        show_overview(overview)


def _follow(asked: Desk, name: str, goes_on: str) -> None:
    """A bar until the tournament has ended; whoever stops looking stops nothing else."""
    try:
        tournament, _ = asked.tournament(name)
        with bar(name) as shown:
            view = _View(shown, tournament)
            for news in asked.watch(name):
                view.see(news)
    except KeyboardInterrupt:
        watch = " ".join([program(), "tournament", "watch", shlex.quote(name), *said()])
        raise Stopped(f"stopped watching; {goes_on}: {watch}") from None


class _View:
    """What is told of a tournament that others play."""

    def __init__(self, shown: Bar, tournament: Tournament) -> None:
        self._bar = shown
        self._tournament = tournament
        self._begun = False
        self._scheduled = 0
        self._trouble = ""

    def see(self, news: News) -> None:
        """Move the bar, and note what ended badly or keeps the arena from playing."""
        at = news.progress
        adaptive = self._tournament.until_clear is not None
        most = self._tournament.blocks * self._tournament.table_size
        if not self._begun or at.matches != self._scheduled:
            self._bar.begin(at.ended, most if adaptive else at.matches)
            self._begun, self._scheduled = True, at.matches
        self._bar.move(at.ended)
        if news.playing.trouble and news.playing.trouble != self._trouble:
            self._bar.note(news.playing.trouble)
        self._trouble = news.playing.trouble
        for one in news.ended:
            if one.result is None:
                attempts = counted(one.match.attempts, "attempt")
                self._bar.note(f"match {one.match.id} is {one.match.status.value}: {attempts}")
        if at.state is TournamentState.CANCELLED:
            say(f"{self._tournament.name} was cancelled")
