"""The arena's bots: what ``arena bot submit``, ``list`` and ``show`` do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.text import Text

from arena.app import contestants
from arena.cli.console import say, show_json, show_table
from arena.cli.home import store
from arena.store import BotVersion


def submit(path: Path, *, json: bool) -> None:
    """Keep a bot in the arena."""
    with store() as opened:
        version = contestants.submit(opened, contestants.from_path(path))
    if json:
        show_json(_version_document(version))
    else:
        say(f"{version.bot}:{version.number} is in the arena, digest {version.digest[:12]}")


def list_all(*, json: bool) -> None:
    """List bots and versions."""
    with store() as opened:
        versions = opened.versions()
    if json:
        show_json({"versions": [_version_document(version) for version in versions]})
    elif versions:
        _show_versions(versions)
    else:
        say("no bots yet: arena bot submit PATH keeps one; greedy, random and counter come along")


def show(name: str, *, json: bool) -> None:
    """Show a bot's versions and tournaments."""
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
        "retired": None if version.retired is None else version.retired.isoformat(),
        "provenance": None if version.provenance is None else dict(version.provenance),
    }
