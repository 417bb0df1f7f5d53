"""The arena's bots: what ``arena bot submit``, ``list``, ``show``, ``retire`` and ``logs`` do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from arena.cli.console import note, say, show_json, show_table
from arena.cli.match_view import show_printed
from arena.cli.where import desk, is_remote
from arena.store import BotVersion, StoredSubmission


def submit(path: Path, *, json: bool) -> None:
    """Keep a bot in the arena; a server says how far it is."""
    with desk() as asked:
        version = asked.submit(path, _tell)
    if json:
        show_json(_version_document(version))
    else:
        say(f"{version.bot}:{version.number} is in the arena, digest {version.digest[:12]}")


def _tell(submission: StoredSubmission) -> None:
    """Note a state that a submission has come to."""
    note(f"{submission.bot}: {submission.state.value} ({submission.id})")
    for line in submission.advice if submission.state.over else ():
        note(line)


def list_all(*, json: bool) -> None:
    """List bots and versions."""
    with desk() as asked:
        versions = asked.versions()
    if json:
        show_json({"versions": [_version_document(version) for version in versions]})
    elif versions:
        _show_versions(versions)
    else:
        # A server's tournaments know what was handed in, and nothing else.
        along = "" if is_remote() else "; greedy, random and counter come along"
        say(f"no bots yet: arena bot submit PATH keeps one{along}")


def show(name: str, *, json: bool) -> None:
    """Show a bot's versions and tournaments."""
    with desk() as asked:
        versions, entered = asked.bot(name)
    if json:
        show_json(
            {
                "bot": name,
                "versions": [
                    {**_version_document(version), "tournaments": entered[version.number]}
                    for version in versions
                ],
            }
        )
        return
    _show_versions(versions)
    for version in versions:
        if entered[version.number]:
            where = ", ".join(entered[version.number])
            say(f"{version.bot}:{version.number} plays in {where}")


def retire(name: str) -> None:
    """Take a bot, or one version of it, out of what can be entered."""
    with desk() as asked:
        asked.retire(name)
    say(f"{name} is retired: it can't be entered any more; what it has played stays")


def logs(of: str) -> None:
    """Show how far a submission is, and what building and trying it printed."""
    with desk() as asked:
        submission, printed = asked.submission_log(of)
    why = f": {submission.reason}" if submission.reason else ""
    say(f"{submission.bot} ({submission.id}) is {submission.state.value}{why}", "bold")
    for line in submission.advice:
        say(line, "yellow")
    if printed:
        show_printed(printed)


def _show_versions(versions: Sequence[BotVersion]) -> None:
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
