"""``arena bot``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal

import typer

from arena.app.bots.newbot import new_bot
from arena.cli.console import say, show_json
from arena.cli.options import Game, Home, Json
from arena.cli.where import Profile, Server
from arena.submissions import Report, Severity, examine

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Begin a bot, check it, keep it in the arena."
)

BotPath = Annotated[Path, typer.Argument(metavar="PATH", help="A folder, .zip, .tar, .tar.gz ...")]


@app.command("new")
def _new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="a-z, 0-9 and -, like my-bot.")],
    game: Game = "claims",
) -> None:
    """Write the folder NAME here: a bot that plays, to be made better."""
    folder = new_bot(name, game, Path())
    say(f"{folder}: a bot that plays {game}; read {folder / 'README.md'}")


@app.command("check")
def _check(
    path: BotPath,
    play: Annotated[
        Literal["docker", "process"] | None,
        typer.Option("--play", help="Also play the matches of each of its games that qualify it."),
    ] = None,
    _home: Home = None,
    json: Json = False,
) -> None:
    """Say what is wrong with a bot.  Ends with 1 if it can't play.

    Without --play nothing of it is run.
    """
    report = examine(path)
    if play is not None and not report.fatal:
        report = import_module("arena.cli.qualifying").qualified(path, report, play)
    if json:
        show_json(_report_document(report))
    else:
        for finding in report.findings:
            say(str(finding), "bold red" if finding.severity is Severity.FATAL else "yellow")
        if report.submission is not None and not report.fatal:
            manifest = report.submission.manifest
            say(
                f"{manifest.name} can be submitted: it plays {', '.join(manifest.games)}, "
                f"digest {report.submission.digest[:12]}"
            )
    if report.fatal:
        raise typer.Exit(1)


@app.command("submit")
def _submit(
    path: BotPath,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Keep a bot in the arena, as a new version unless its files are there already.

    A server builds it and tries it out first.  Ends with 1 if the bot is rejected.
    """
    _kept().submit(path, json=json)


@app.command("list")
def _list(
    _home: Home = None, _server: Server = None, _profile: Profile = None, json: Json = False
) -> None:
    """List the arena's bots and their versions."""
    _kept().list_all(json=json)


@app.command("show")
def _show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A bot's name.")],
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Show a bot's versions, and the tournaments that each takes part in."""
    _kept().show(name, json=json)


@app.command("retire")
def _retire(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A bot's name, or name:number for one version.")
    ],
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
) -> None:
    """Take a bot out of what can be entered; what it has played stays."""
    _kept().retire(name)


@app.command("logs")
def _logs(
    of: Annotated[
        str, typer.Argument(metavar="BOT", help="A bot's name, or the id of what was submitted.")
    ],
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
) -> None:
    """Show how far a bot that was submitted to a server is, and what building it printed."""
    _kept().logs(of)


def _kept() -> ModuleType:
    """What works on the store, which writing and checking a bot need not wait for."""
    return import_module("arena.cli.kept_bots")


def _report_document(report: Report) -> dict[str, Any]:
    submission = report.submission
    manifest = None if submission is None else submission.manifest
    return {
        "fit": not report.fatal,
        "name": None if manifest is None else manifest.name,
        "games": None if manifest is None else list(manifest.games),
        "digest": None if submission is None else submission.digest,
        "findings": [
            {"severity": finding.severity.value, "text": finding.text}
            for finding in report.findings
        ],
    }
