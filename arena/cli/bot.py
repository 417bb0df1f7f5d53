"""``arena bot``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from arena.app import contestants
from arena.app.newbot import new_bot
from arena.cli.console import say, show_json, show_table
from arena.cli.options import Game, Home, Json, store
from arena.store import BotVersion
from arena.submissions import Report, Severity, examine

app = typer.Typer(no_args_is_help=True, help="Begin a bot, check it, keep it in the arena.")

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
def _check(path: BotPath, json: Json = False) -> None:
    """Say what is wrong with a bot, without running it.  Ends with 1 if it can't play."""
    report = examine(path)
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
def _submit(path: BotPath, _home: Home = None, json: Json = False) -> None:
    """Keep a bot in the arena, as a new version unless its files are there already."""
    with store() as opened:
        version = contestants.submit(opened, contestants.from_path(path))
    if json:
        show_json(_version_document(version))
    else:
        say(f"{version.bot}:{version.number} is in the arena, digest {version.digest[:12]}")


@app.command("list")
def _list(_home: Home = None, json: Json = False) -> None:
    """List the arena's bots and their versions."""
    with store() as opened:
        versions = opened.versions()
    if json:
        show_json({"versions": [_version_document(version) for version in versions]})
    elif versions:
        _show_versions(versions)
    else:
        say("no bots yet: arena bot submit PATH keeps one; greedy, random and counter come along")


@app.command("show")
def _show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A bot's name.")],
    _home: Home = None,
    json: Json = False,
) -> None:
    """Show a bot's versions, and the tournaments that each takes part in."""
    with store() as opened:
        versions = opened.versions(name)
        entered: dict[int, list[str]] = {version.id: [] for version in versions}
        for tournament in opened.tournaments():
            for entry in tournament.entries:
                if entry.version.id in entered:
                    entered[entry.version.id].append(tournament.name)
    if json:
        show_json(
            {
                "bot": name,
                "versions": [
                    {**_version_document(version), "tournaments": entered[version.id]}
                    for version in versions
                ],
            }
        )
        return
    _show_versions(versions)
    for version in versions:
        if entered[version.id]:
            say(f"{version.bot}:{version.number} plays in {', '.join(entered[version.id])}")


def _show_versions(versions: list[BotVersion]) -> None:
    columns = ("bot", "version>", "label", "games", "runtime", "digest", "since")
    rows = [
        (
            Text(version.bot, "bold"),
            version.number,
            version.label,
            ", ".join(version.games),
            version.runtime,
            version.digest[:12],
            f"{version.created:%Y-%m-%d %H:%M}",
        )
        for version in versions
    ]
    show_table(columns, rows)


def _version_document(version: BotVersion) -> dict[str, Any]:
    return {
        "bot": version.bot,
        "version": version.number,
        "label": version.label,
        "digest": version.digest,
        "games": list(version.games),
        "runtime": version.runtime,
        "entrypoint": version.entrypoint,
        "author": version.author,
        "created": version.created.isoformat(),
    }


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
