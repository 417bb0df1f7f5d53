"""``arena drain``."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.console import say
from arena.cli.where import Profile, Server, server_registry

app = typer.Typer(add_completion=False)


@app.command("drain")
def _drain(
    go_on: Annotated[bool, typer.Option("--go-on", help="Let it go on after that.")] = False,
    _server: Server = None,
    _profile: Profile = None,
) -> None:
    """Have a server start no more matches and builds; what runs comes to its end.

    It answers as before: `arena status` tells how much still runs.
    """
    with server_registry() as asked:
        asked.drain(not go_on)
    say("it goes on" if go_on else "it starts nothing more until arena drain --go-on")
