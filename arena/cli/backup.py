"""``arena backup``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from arena.app.backup import Backup, back_up
from arena.cli.console import say, show_json
from arena.cli.home import store
from arena.cli.options import Home, Json
from arena.cli.text import clean

app = typer.Typer(add_completion=False)


@app.command("backup")
def _backup(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A new file, like arena.tar.zst; keep it secret.")
    ],
    _home: Home = None,
    json: Json = False,
) -> None:
    """Write everything, as of now, to one file. Tournaments may be played meanwhile."""
    with store() as opened:
        made = back_up(opened, file)
    if json:
        show_json(document(made))
    else:
        say(f"{clean(file)}: {summary(made)}, {made.size / (1 << 20):.1f} MiB")


def summary(backup: Backup) -> str:
    """What it holds, in words."""
    return (
        f"{backup.versions} versions of bots, {backup.tournaments} tournaments, "
        f"{backup.results} results, as of {backup.taken:%Y-%m-%d %H:%M:%S} UTC"
    )


def document(backup: Backup) -> dict[str, Any]:
    """The same for programs."""
    return {
        "file": str(backup.path),
        "taken": backup.taken.isoformat(),
        "versions": backup.versions,
        "tournaments": backup.tournaments,
        "results": backup.results,
        "bytes": backup.size,
    }
