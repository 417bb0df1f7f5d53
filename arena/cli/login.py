"""``arena login``."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.app.errors import ArenaError, WrongCall
from arena.cli.console import say
from arena.client import finding, profiles
from arena.client.calling import Connection
from arena.client.profiles import Profile
from arena.wire.accounts import author_record
from arenabot.v1 import arena_pb2 as pb

app = typer.Typer(add_completion=False)


@app.command("login")
def _login(
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="HOST or HOST:PORT, like arena.example.org.")
    ],
    profile: Annotated[
        str | None,
        typer.Option("--profile", metavar="NAME", help="Under which name; by default the host's."),
    ] = None,
    token_file: Annotated[
        str | None,
        typer.Option(
            "--token-file",
            metavar="FILE",
            help="Read the token from this file, or - for standard input, and don't ask.",
        ),
    ] = None,
    ca_file: Annotated[
        Path | None,
        typer.Option(
            "--ca-file",
            metavar="FILE",
            help="Certificates (PEM) that vouch for the server, if the system's don't.",
        ),
    ] = None,
) -> None:
    """Keep a server's address and one's token there, under a name for --profile.

    The token is asked for at the terminal and not shown.
    """
    name = profile or finding.split(address)[0]
    if not name.isprintable():
        raise WrongCall(f"{name!r} is no profile's name: choose one that can be printed")
    ca = "" if ca_file is None else str(ca_file.absolute())
    made = Profile(address, _token(token_file), ca)
    server = finding.of_profile(made)
    with Connection(server) as connection:
        who = connection.call(connection.admin.WhoAmI, pb.WhoAmIRequest())
    profiles.save(name, made)
    if who.HasField("author"):
        author = author_record(who.author)
        say(f"logged in at {server.address} as {author.name} ({author.role.value})")
    else:
        say(f"{server.address} is known now; without a token one may look and change nothing")
    say(f"use it: --profile {name} with a command, or ARENA_PROFILE={name} for all")


def _token(file: str | None) -> str:
    if file is None:
        if not sys.stdin.isatty():
            raise WrongCall("there is no terminal to ask for the token: give --token-file")
        return getpass.getpass("Token (empty: none): ").strip()
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ArenaError(f"the token in {file} cannot be read: {why}") from None
    if not text.strip():
        raise ArenaError(f"there is no token in {'standard input' if file == '-' else file}")
    return text.strip()
