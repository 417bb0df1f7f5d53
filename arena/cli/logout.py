"""``arena logout``."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.app.errors import WrongCall
from arena.cli.console import say
from arena.client import profiles

app = typer.Typer(add_completion=False)


@app.command("logout")
def _logout(
    profile: Annotated[
        str | None,
        typer.Option("--profile", metavar="NAME", help="Which; needed if there are several."),
    ] = None,
) -> None:
    """Forget a server and one's token there; the token stays good until it is revoked."""
    known = profiles.load()
    if profile is None and len(known) != 1:
        names = f"say --profile NAME: {', '.join(known)}" if known else "nobody is logged in"
        raise WrongCall(names)
    name = profile or next(iter(known))
    profiles.forget(name)
    say(f"{name} is forgotten; its token stays good until it is revoked")
