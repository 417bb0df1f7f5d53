"""``arena rules``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markdown import Markdown

from arena.app.rulebook import LANGUAGES, rules, write_pictures
from arena.cli.console import screen

#: Columns at most: longer lines are hard to read.
_WIDTH = 96

app = typer.Typer(add_completion=False)


@app.command("rules")
def _rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help=f"{', '.join(LANGUAGES)}.")],
    lang: Annotated[
        str | None, typer.Option("--lang", metavar="LANGUAGE", help="en, or ro for claim.")
    ] = None,
    pictures: Annotated[
        Path | None,
        typer.Option("--pictures", metavar="DIR", help="Write the pictures of claim there as SVG."),
    ] = None,
) -> None:
    """Show the rules of a game, or write the pictures that go with them."""
    out = screen()
    if pictures is not None:
        for path in write_pictures(game, lang, pictures):
            out.print(str(path), markup=False, highlight=False, soft_wrap=True)
        return
    out.print(Markdown(rules(game, lang)), width=min(out.width, _WIDTH), soft_wrap=False)
