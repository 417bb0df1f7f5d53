"""``arena match``."""

from __future__ import annotations

import json
import shlex
from typing import Annotated

import typer

from arena.app.errors import WrongCall
from arena.cli.console import program, say
from arena.cli.live_view import LiveView
from arena.cli.options import Home
from arena.cli.stopped import Stopped
from arena.cli.where import Profile, Server, desk

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Watch matches while they are played."
)


@app.callback()
def _group() -> None:
    """Watch matches while they are played."""


@app.command("watch")
def _watch(
    tournament: Annotated[str, typer.Argument(metavar="TOURNAMENT")],
    match: Annotated[
        str | None, typer.Argument(metavar="MATCH", help="An id, or enough of its beginning.")
    ] = None,
    *,
    any_: Annotated[
        bool, typer.Option("--any", help="In place of MATCH: any one that is being played.")
    ] = False,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    lines: Annotated[
        bool, typer.Option("--json", help="Print what happens as JSON Lines, as it comes.")
    ] = False,
) -> None:
    """Follow a match of a server turn by turn, without what is hidden from a spectator."""
    if (match is None) is not any_:
        raise WrongCall("name a match, or say --any")
    view = LiveView()
    try:
        with desk() as asked:
            for line in asked.watch_match(tournament, match):
                if lines:
                    print(json.dumps(line), flush=True)
                    view.ended = view.ended or line.get("type") == "result"
                else:
                    view.see(line)
    except KeyboardInterrupt:
        raise Stopped("stopped watching; the match goes on") from None
    if not view.ended and not lines:
        again = f"{program()} match watch {shlex.quote(tournament)} --any"
        say(f"this match was not played to its end here; watch another one: {again}", "yellow")
