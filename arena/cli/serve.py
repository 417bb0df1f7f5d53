"""``arena serve``."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.console import note, say
from arena.cli.options import Home

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
    # Read by gRPC when it is first loaded: it would tell in lines of its own what we tell in ours,
    # and of every stranger whose handshake fails.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    import_module("arena.server.serve").serve(config, _tell, note)


def _tell(line: str) -> None:
    say(line)
    sys.stdout.flush()  # whoever waits for this line reads a pipe
