"""Arguments and options that several commands have, each described once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from arena.app.errors import WrongCall
from arena.app.options import game_of
from arena.match.setup import Timers


def _at_home(home: Path | None) -> Path | None:
    """Let whatever looks for the arena's folder from now on find this one, a bug's log too."""
    if home is not None:
        os.environ["ARENA_HOME"] = str(home)
    return home


#: For a parameter called ``_home``: once it is read, nobody needs to hand it on.
Home = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="DIR",
        callback=_at_home,
        help="The arena's folder; by default ARENA_HOME, or where your programs keep their data.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print a JSON document in place of tables.")]
Bots = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT...", help="A folder, an archive, name or name:version, or a sample bot."
    ),
]


def _known_game(name: str | None) -> str | None:
    if name is not None:
        game_of(name)
    return name


Game = Annotated[
    str,
    typer.Option("--game", metavar="GAME", callback=_known_game, help="claims, claim or claro."),
]
AnyGame = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", callback=_known_game, help="claims, claim or claro."),
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the game; may be repeated."),
]
Turn = Annotated[float, typer.Option("--turn", help="Seconds for one turn.")]
Ready = Annotated[float, typer.Option("--ready", help="Seconds for ready between two rounds.")]
Start = Annotated[float, typer.Option("--start", help="Seconds until a bot must listen.")]
Budget = Annotated[float, typer.Option("--budget", help="Seconds for a seat's whole match.")]
Isolating = Annotated[
    Literal["match", "container", "warm"],
    typer.Option(
        "--isolation",
        help="New for each match: a bot's process, or its whole container; warm keeps both.",
    ),
]
Pondering = Annotated[
    Literal["freeze", "measure", "allow"],
    typer.Option("--ponder", help="Bots that think on others' time: held still, told of, left."),
]
MaxFaults = Annotated[
    int,
    typer.Option(
        "--max-faults", min=0, max=1_000_000, help="With more faults a seat plays default moves."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=1, max=512, help="Match workers; by default one for each core."),
]


def timers(turn: float, ready: float, start: float, budget: float) -> Timers:
    """Put timers together; a time out of bounds is a wrong call."""
    try:
        return Timers(turn=turn, ready=ready, start=start, budget=budget)
    except ValueError as error:
        raise WrongCall(str(error)) from None
