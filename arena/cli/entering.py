"""Who takes part in a tournament: ``arena tournament enter``, ``leave``, ``open`` and the like."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from arena.app.tournaments import setting_up
from arena.app.tournaments.setting_up import Created
from arena.cli.console import counted, program, say
from arena.cli.options import Home
from arena.cli.where import Profile, Server, desk, said
from arena.store import Tournament

Name = Annotated[str, typer.Argument(metavar="NAME", help="The tournament's name.")]
Kept = Annotated[str, typer.Argument(metavar="BOT", help="The bot's name.")]


def add_to(app: typer.Typer) -> None:
    """Make these commands of the group."""
    for name, command in (
        ("enter", _enter),
        ("leave", _leave),
        ("open", _open),
        ("close", _close),
        ("withdraw", _withdraw),
    ):
        app.command(name)(command)


def _enter(
    name: Name,
    bot: Annotated[
        str,
        typer.Argument(metavar="BOT", help="A folder, an archive, name[:version], or a sample."),
    ],
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
) -> None:
    """Enter a bot while entry is open, or another version of it in place of the one before."""
    with desk() as asked:
        version, entered = asked.enter(name, bot)
    say(f"{version} is entered in {name}: {counted(entered, 'bot')} now")


def _leave(
    name: Name,
    bot: Kept,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
) -> None:
    """Take a bot out again while entry is open."""
    with desk() as asked:
        asked.leave(name, bot)
    say(f"{bot} is not entered in {name} any more")


def _open(name: Name, _home: Home = None, _server: Server = None, _profile: Profile = None) -> None:
    """Open entry again, as long as no schedule is drawn."""
    with desk() as asked:
        asked.open_entry(name)
    say(f"entry of {name} is open: {_how('enter', name, 'BOT')}")


def _close(
    name: Name,
    *,
    draw: Annotated[
        bool, typer.Option("--draw", help="Also draw the schedule, which is then as it is.")
    ] = False,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
) -> None:
    """End entry; with --draw also draw the schedule from the tournament's seed."""
    with desk() as asked:
        if draw:
            show_drawn(asked.draw(name))
            return
        asked.close_entry(name)
    say(f"entry of {name} is closed; draw its schedule: {_how('close', name, '--draw')}")


def _withdraw(
    name: Name,
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="The bot's name, or name:version if several play.")
    ],
    *,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="A reason, for everybody.")],
    annul: Annotated[
        bool, typer.Option("--annul", help="Leave out all blocks in which it has played, too.")
    ] = False,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
) -> None:
    """Take a bot out for good after the schedule is drawn: its matches to come are not played."""
    with desk() as asked:
        at, left_out = asked.withdraw(name, bot, why=why, annul=annul)
    say(
        f"{bot} is withdrawn from {name}: {counted(at.annulled, 'match', 'matches')} annulled, "
        f"{counted(left_out, 'block')} left out of the standings"
    )


def show_opened(tournament: Tournament) -> None:
    """Print what was set up and is open for entry."""
    say(f"{tournament.name}: open for entry, tables of {tournament.table_size}", "bold")
    _say_seed(tournament)
    say(f"enter bots: {_how('enter', tournament.name, 'BOT')}")
    say(f"then draw:  {_how('close', tournament.name, '--draw')}")


def show_drawn(made: Created) -> None:
    """Print what was drawn, and how even it is."""
    tournament = made.tournament
    bots = counted(len(tournament.entries), "bot")
    blocks = counted(tournament.blocks, "block")
    matches = counted(made.matches, "match", "matches")
    how = f"{tournament.name}: {bots}, tables of {tournament.table_size}"
    if tournament.until_clear is None:
        say(f"{how}, {blocks}, {matches}", "bold")
    else:
        say(f"{how}, until clear with probability {tournament.until_clear}", "bold")
        say(f"at most {blocks}; a first wave of {matches}, in which")
    for line in str(made.figures).splitlines():
        say(line)
    _say_seed(tournament)
    say(f"play it: {_how('run', tournament.name)}")


def _say_seed(tournament: Tournament) -> None:
    say(f"SHA-256 of the secret seed, to be published now: {tournament.seed_hash}")
    say(setting_up.why_lodged(tournament))


def _how(command: str, name: str, *rest: str) -> str:
    return " ".join([program(), "tournament", command, shlex.quote(name), *rest, *said()])
