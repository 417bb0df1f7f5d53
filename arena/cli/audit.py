"""``arena audit``: who changed what through the server, or was refused."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.accounts_view import audit_document, show_audit
from arena.cli.console import show_json
from arena.cli.options import Home, Json
from arena.cli.where import Profile, Server, registry

app = typer.Typer(add_completion=False, help="Show who changed what through the server.")


@app.command()
def _audit(
    author: Annotated[
        str | None, typer.Option("--author", metavar="NAME", help="Only what this author did.")
    ] = None,
    most: Annotated[
        int, typer.Option("--most", min=1, max=10_000, help="How many entries: the newest.")
    ] = 50,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Show who changed what through the server, or was refused; the newest last."""
    with registry() as opened:
        found = opened.audit(author, most)[::-1]
    if json:
        show_json({"entries": [audit_document(entry) for entry in found]})
    else:
        show_audit(found, author)
