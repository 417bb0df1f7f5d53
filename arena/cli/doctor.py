"""``arena doctor``."""

from __future__ import annotations

from itertools import groupby

import typer
from rich.text import Text

from arena.app.doctor import Finding, Health, examine
from arena.cli.console import say, show_json, show_table
from arena.cli.options import Home, Json
from arena.cli.text import clean

_STYLES = {
    Health.OK: "green",
    Health.MISSING: "yellow",
    Health.UNKNOWN: "dim",
    Health.BROKEN: "bold red",
}

app = typer.Typer(add_completion=False)


@app.command("doctor")
def _doctor(_home: Home = None, json: Json = False) -> None:
    """Say what this machine has: store, engine, images, protections, limits.

    Ends with 1 only if something is broken without which nothing works.
    """
    found = examine()
    if json:
        show_json({"findings": [_document(finding) for finding in found]})
    else:
        for part, findings in groupby(found, key=lambda finding: finding.part):
            show_table(("", "", ""), map(_row, findings), part.capitalize())
        _conclude(found)
    if any(finding.health is Health.BROKEN for finding in found):
        raise typer.Exit(1)


def _document(finding: Finding) -> dict[str, str]:
    return {
        "part": finding.part,
        "name": finding.name,
        "state": finding.health.value,
        "sentence": finding.sentence,
    }


def _row(finding: Finding) -> tuple[Text, str, str]:
    health = finding.health
    return Text(health.value, _STYLES[health]), finding.name, clean(finding.sentence)


def _conclude(found: list[Finding]) -> None:
    missing = sum(finding.health is Health.MISSING for finding in found)
    if missing:
        say(f"The arena works; what is missing ({missing}) would make it safer or faster.")
