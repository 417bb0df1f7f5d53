"""``arena tournament show``: a tournament, all its matches, or one of them."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.app.desk import Asked, Desk
from arena.app.errors import WrongCall
from arena.app.exports import documents
from arena.cli.console import show_json
from arena.cli.match_view import show_log, show_match, show_matches
from arena.cli.options import Home, Json
from arena.cli.overview_view import show_overview
from arena.cli.proofs import Against, HeadToHead
from arena.cli.where import Profile, Server, desk

Name = Annotated[str, typer.Argument(metavar="NAME", help="The tournament's name.")]


def add_to(app: typer.Typer) -> None:
    """Make this command one of the group."""
    app.command("show")(_show)


def _show(
    name: Name,
    match: Annotated[
        str | None, typer.Argument(metavar="MATCH", help="Show this match: an id's beginning.")
    ] = None,
    *,
    matches: Annotated[bool, typer.Option("--matches", help="List all matches.")] = False,
    log: Annotated[
        int | None, typer.Option("--log", metavar="SEAT", min=0, help="With MATCH: a seat's log.")
    ] = None,
    head_to_head: HeadToHead = False,
    against: Against = None,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Show a tournament's state and standings, all its matches, or one of them."""
    with desk() as asked:
        if match is not None and log is not None:
            bot, printed = asked.seat_log(name, match, log)
            show_log(log, bot, printed)
        elif match is not None:
            _one_match(asked, name, match, json=json)
        elif log is not None:
            raise WrongCall("--log needs a match: arena tournament show NAME MATCH --log SEAT")
        elif matches:
            _all_matches(asked, name, json=json)
        else:
            overview, duels = asked.overview(name, Asked(head_to_head, against))
            if json:
                show_json({**documents.tournament(overview), **documents.duels(duels)})
            else:
                show_overview(overview, duels)


def _one_match(asked: Desk, name: str, match: str, *, json: bool) -> None:
    tournament, shown = asked.match(name, match)
    if json:
        told = documents.match(tournament, shown.match, shown.result, released=shown.released)
        show_json({**told, "voids": [documents.void(void) for void in shown.voids]})
    else:
        show_match(tournament, shown.match, shown.result, shown.voids)


def _all_matches(asked: Desk, name: str, *, json: bool) -> None:
    tournament, matches = asked.matches(name)
    if json:
        told = [
            documents.match(tournament, one.match, one.result, released=one.released)
            for one in matches
        ]
        show_json({"matches": told})
        return
    results = {one.match.id: one.result for one in matches if one.result is not None}
    show_matches(tournament, [one.match for one in matches], results)
