"""``arena rules``."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markdown import Markdown

from arena.app.rulebook import LANGUAGES, rules
from arena.cli.console import screen

#: Columns at most: longer lines are hard to read.
_WIDTH = 96

app = typer.Typer()


@app.command("rules")
def _rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help=f"{', '.join(LANGUAGES)}.")],
    lang: Annotated[
        str | None, typer.Option("--lang", metavar="LANGUAGE", help="en, or ro for claim.")
    ] = None,
) -> None:
    """Show the rules of a game."""
    out = screen()
    out.print(Markdown(rules(game, lang)), width=min(out.width, _WIDTH), soft_wrap=False)
