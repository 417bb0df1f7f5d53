"""The program: finds the command, and gives every ending one line and an exit code.

A command's module is loaded when that command is called, so that ``arena --help`` need not wait
for the database and the container engine's client.
"""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from arena.cli import where
from arena.cli.stopped import STOPPED, Stopped
from arena.cli.text import clean

#: Exit codes: what was asked can't be done, it was asked wrongly.
FAILED, WRONG_CALL = 1, 2

#: The commands, each in the module of its name, with what they do.
COMMANDS = {
    "demo": "Play a tournament between the sample bots and show the ranking.",
    "play": "Play matches between bots, outside any tournament.",
    "bot": "Begin a bot, check it, keep it in the arena.",
    "tournament": "Set tournaments up, run them, look at them.",
    "rankings": "Show who is best at a game.",
    "match": "Watch matches while they are played.",
    "replay": "Get, draw and verify replays.",
    "rules": "Show the rules of a game.",
    "doctor": "Say what this machine has, and what is missing.",
    "image": "Make the image that bots run on.",
    "serve": "Serve the arena to many people at once.",
    "login": "Keep a server's address and one's token there.",
    "logout": "Forget a server and one's token there.",
    "status": "Say what a server is doing, and who one is there.",
    "drain": "Have a server start nothing more, or go on.",
    "author": "Say who may call the server, and what they may do.",
    "token": "Make and revoke the tokens that authors show.",
    "audit": "Show who changed what through the server.",
    "backup": "Write the whole arena to one file.",
    "restore": "Put a backup into an empty arena.",
    "prune": "Remove what is not to be kept any longer.",
}

# What Typer raises for a wrong call; it has no public name of its own.
_USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]


class Commands(TyperGroup):
    """The commands by name; only the one that is called is loaded."""

    def __init__(self, **settings: Any) -> None:
        """Begin with names and help texts alone."""
        super().__init__(**settings)
        for name, told in COMMANDS.items():
            self.add_command(TyperCommand(name, help=told))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Load the command that is called."""
        if args and args[0] in COMMANDS:
            name = args[0]
            self.add_command(typer.main.get_command(import_module(f"arena.cli.{name}").app), name)
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version  # noqa: PLC0415 - only where it is asked for

        print(f"arena {version('claim-arena')}")
        raise typer.Exit


@app.callback()
def _root(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """A tournament arena for bots that play Claims, Claim! and Claro."""


def run(arguments: list[str]) -> int:
    """Run one command; its exit code."""
    try:
        _prepare()
        where.forget()
        return _run(arguments)
    except KeyboardInterrupt:
        # Also while an error is being explained, for which the rooms must be loaded.
        _say("stopped")
        return STOPPED


def _run(arguments: list[str]) -> int:
    try:
        code = typer.main.get_command(app).main(arguments, "arena", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return FAILED
    except Stopped as stopped:
        _say(str(stopped))
        return STOPPED
    except OSError as error:
        if error.errno != errno.ENOSPC or error.filename is not None:
            return _explain(error)
        _drop_output()
        _say(f"standard output cannot be written: {error.strerror}")
        return FAILED
    except Exception as error:
        return _explain(error)
    if code == STOPPED:
        _say("stopped")
    return code if isinstance(code, int) else 0


def _drop_output() -> None:
    """Nobody reads on; what is buffered would only fail once more when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _prepare() -> None:
    # A stream that was closed before we started is none at all.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: PTH123, SIM115 - for the whole run
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        # A terminal that can't show a suit gets a question mark, not an error.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def _explain(error: Exception) -> int:
    """Say in one line what went wrong and whose business it is; the exit code."""
    if isinstance(error, _USAGE_ERROR):
        return _wrong_call(error)
    if isinstance(error, ImportError):
        _say(f"this installation is not whole ({error}): install claim-arena again")
        return FAILED
    from arena.app.failures import FOR_PEOPLE, WRONG_CALLS  # noqa: PLC0415 - loads every room
    from arena.app.logs import keep_traceback  # noqa: PLC0415

    if not isinstance(error, FOR_PEOPLE):
        where = keep_traceback(error)
        _say(f"this is a bug: {type(error).__name__}; please report it with {where}")
        return FAILED
    _say(str(error))
    return WRONG_CALL if isinstance(error, WRONG_CALLS) else FAILED


def _wrong_call(error: Any) -> int:
    """Say what was wrong with the call, and where to read more."""
    told = " ".join(error.format_message().split()).rstrip(".")
    if told:  # else a command that needs more words got none, and has shown its help
        path = error.ctx.command_path if error.ctx else "arena"
        _say(f"{told} (see {path} --help)")
    return WRONG_CALL


def _say(line: str) -> None:
    print(f"arena: {clean(line)}", file=sys.stderr)
