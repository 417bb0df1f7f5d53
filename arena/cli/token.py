"""``arena token``: what authors show to be known by a server."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.accounts_view import issued_document, show_issued, show_tokens, token_document
from arena.cli.console import say, show_json
from arena.cli.options import Home, Json
from arena.cli.where import Profile, Server, registry

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Make and revoke the tokens that authors show.",
)

Author = Annotated[
    str | None, typer.Option("--author", metavar="NAME", help="Whose; by default one's own.")
]


@app.command("new")
def _new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="What its owner calls it, like laptop.")
    ],
    author: Author = None,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Make a token and show it, this once."""
    with registry() as opened:
        made = opened.add_token(author, name)
    if json:
        show_json(issued_document(made))
    else:
        show_issued(made)


@app.command("list")
def _list(
    author: Author = None,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """List an author's tokens, without what they are."""
    with registry() as opened:
        found = opened.tokens(author)
    if json:
        show_json({"tokens": [token_document(token) for token in found]})
    else:
        show_tokens(found)


@app.command("revoke")
def _revoke(
    number: Annotated[
        int,
        typer.Argument(
            metavar="NUMBER", min=1, max=2**31 - 1, help="As arena token list shows it."
        ),
    ],
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Make a token worthless, for a running server within a second."""
    with registry() as opened:
        revoked = opened.revoke(number)
    if json:
        show_json(token_document(revoked))
    else:
        say(f"token {revoked.id} ({revoked.name}) of {revoked.author} is worthless from now on")
