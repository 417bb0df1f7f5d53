"""``arena serve``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.console import note, say
from arena.cli.options import Home
from arena.server.serve import serve

app = typer.Typer(add_completion=False, help="Serve the arena to many people at once.")


@app.command()
def _serve(
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="The settings; by default ARENA_CONFIG, or arena.toml in the arena's folder.",
        ),
    ] = None,
    _home: Home = None,
) -> None:
    """Serve the arena over gRPC, until Ctrl-C or SIGTERM; running matches may end then."""
    serve(config, _tell, note)


def _tell(line: str) -> None:
    say(line)
    sys.stdout.flush()  # whoever waits for this line reads a pipe
