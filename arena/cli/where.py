"""Where a command looks: the store on this machine, or a server that somebody named."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from arena.app.errors import WrongCall

if TYPE_CHECKING:
    from arena.app.desk import Desk
    from arena.app.registry import Registry
    from arena.client.calling import Connection
    from arena.client.desk import ServerDesk
    from arena.client.registry import ServerRegistry

#: What the options of this call said, by name.
_given: dict[str, str] = {}


def forget() -> None:
    """Begin another call."""
    _given.clear()


def _remember(name: str, value: str | None) -> str | None:
    if value is not None:
        _given[name] = value
    return value


#: For parameters called ``_server`` and ``_profile``: once read, nobody needs to hand them on.
Server = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="ADDRESS",
        callback=lambda value: _remember("server", value),
        help="Ask the server at HOST or HOST:PORT, not this machine's store; else ARENA_SERVER.",
    ),
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        callback=lambda value: _remember("profile", value),
        help="Ask the server that `arena login` keeps under this name; else ARENA_PROFILE.",
    ),
]


def said() -> list[str]:
    """What this call said of where to look, to be said in a next one as well."""
    return [word for name, value in _given.items() for word in (f"--{name}", shlex.quote(value))]


def is_remote() -> bool:
    """Whether a server is asked."""
    named = [*_given.values(), os.environ.get("ARENA_SERVER"), os.environ.get("ARENA_PROFILE")]
    return any(named)


@contextmanager
def desk() -> Iterator[Desk]:
    """What the command works on. Raises ``WrongCall``, ``ArenaError``, ``StoreError``."""
    with ExitStack() as opened:
        if is_remote():
            yield opened.enter_context(server_desk())
            return
        # Only here, since a server needs no store, and a store no gRPC.
        from arena.app.store_desk import StoreDesk  # noqa: PLC0415
        from arena.cli.home import store  # noqa: PLC0415

        yield StoreDesk(opened.enter_context(store()))


@contextmanager
def server_desk() -> Iterator[ServerDesk]:
    """The server that is named. Raises ``WrongCall`` if none is, ``ArenaError``."""
    from arena.client.desk import ServerDesk  # noqa: PLC0415

    with _connection() as connection:
        yield ServerDesk(connection)


@contextmanager
def registry() -> Iterator[Registry]:
    """Whose authors and tokens the command is about. Raises what `desk` raises."""
    with ExitStack() as opened:
        if is_remote():
            yield opened.enter_context(server_registry())
            return
        from arena.app.registry import StoreRegistry  # noqa: PLC0415
        from arena.cli.home import store  # noqa: PLC0415

        yield StoreRegistry(opened.enter_context(store()))


@contextmanager
def server_registry() -> Iterator[ServerRegistry]:
    """That of the server that is named. Raises ``WrongCall`` if none is, ``ArenaError``."""
    from arena.client.registry import ServerRegistry  # noqa: PLC0415

    with _connection() as connection:
        yield ServerRegistry(connection)


@contextmanager
def _connection() -> Iterator[Connection]:
    # Read by gRPC when it is first loaded: what goes wrong is told in a line of ours.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from arena.client.calling import Connection  # noqa: PLC0415
    from arena.client.finding import chosen  # noqa: PLC0415

    server = chosen(_given.get("server"), _given.get("profile"))
    if server is None:
        raise WrongCall("no server is named: say --server ADDRESS or --profile NAME")
    with Connection(server) as connection:
        try:
            yield connection
        except UnicodeEncodeError as error:
            # A message holds nothing but text; a word of the command line may be any bytes.
            raise WrongCall(f"{error.object[:40]!a} is no text: write it in UTF-8") from None
