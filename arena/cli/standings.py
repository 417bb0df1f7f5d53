"""The table of a ranking."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from arena.app.table import Ranked
from arena.cli.console import FAULT, show_table
from arena.cli.text import clean


def show_standings(ranked: Iterable[Ranked], game: str, title: str = "") -> None:
    """Print a ranking."""
    points = "mean\nstars>" if game == "claro" else "mean\npoints>"
    columns = (
        "rank>",
        "bot",
        "ver>",
        "score>",
        "mu>",
        "sigma>",
        "matches>",
        "wins>",
        "mean\nrank>",
        points,
        "faults>",
    )
    rows = [
        (
            row.rank,
            Text(clean(row.version.bot), "bold"),
            row.version.number,
            Text(f"{row.standing.score:.2f}", "bold"),
            row.standing.mu,
            row.standing.sigma,
            row.standing.matches,
            row.standing.wins,
            row.standing.mean_rank if row.standing.matches else None,
            row.standing.mean_points if row.standing.matches else None,
            Text(str(row.standing.faults), FAULT if row.standing.faults else ""),
        )
        for row in ranked
    ]
    show_table(columns, rows, title)
