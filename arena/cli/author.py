"""``arena author``: who may call a server."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from arena.app.errors import WrongCall
from arena.cli.accounts_view import author_document, issued_document, show_authors, show_issued
from arena.cli.console import say, show_json
from arena.cli.options import Home, Json
from arena.cli.where import Profile, Server, registry
from arena.store import Role

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Say who may call the server, and what they may do.",
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The author: a-z, 0-9 and -.")]
RoleName = Literal["author", "organiser", "admin"]


@app.command("add")
def _add(
    name: Name,
    role: Annotated[RoleName, typer.Option("--role", help="What they may do.")] = "author",
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Add an author and show their first token, this once."""
    with registry() as opened:
        made = opened.add_author(name, Role(role))
    if json:
        show_json(issued_document(made))
    else:
        show_issued(made)


@app.command("list")
def _list(
    _home: Home = None, _server: Server = None, _profile: Profile = None, json: Json = False
) -> None:
    """List the authors by name."""
    with registry() as opened:
        found = opened.authors()
    if json:
        show_json({"authors": [author_document(author) for author in found]})
    else:
        show_authors(found)


@app.command("set")
def _set(
    name: Name,
    role: Annotated[
        RoleName | None, typer.Option("--role", help="What they may do from now on.")
    ] = None,
    locked: Annotated[
        bool | None, typer.Option("--lock/--unlock", help="Refuse all their tokens, or no longer.")
    ] = None,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Change what an author may do."""
    if role is None and locked is None:
        raise WrongCall("nothing was asked for: say --role, --lock or --unlock")
    with registry() as opened:
        changed = opened.set_author(name, None if role is None else Role(role), locked)
    if json:
        show_json(author_document(changed))
    else:
        say(f"{changed.name}: {changed.role.value}{', locked out' if changed.locked else ''}")
