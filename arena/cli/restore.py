"""``arena restore``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.app.backup import restore
from arena.cli.backup import document, summary
from arena.cli.console import say, show_json
from arena.cli.options import Home, Json

app = typer.Typer(add_completion=False)


@app.command("restore")
def _restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What arena backup wrote.")],
    _home: Home = None,
    json: Json = False,
) -> None:
    """Put a backup into an empty arena, once every byte of it was checked."""
    restored = restore(file)
    if json:
        show_json(document(restored))
    else:
        say(f"restored {summary(restored)}")
