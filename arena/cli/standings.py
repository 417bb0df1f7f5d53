"""The table of a ranking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from rich.text import Text

from arena.app.rankings.table import Ranked
from arena.cli.console import FAULT, fits, say, show_table, table
from arena.cli.text import clean
from arena.rating import Direction, Standing

_TREND: Final = 4
"""Which column is left out where there is no room for it."""


def show_standings(ranked: Iterable[Ranked], game: str, title: str = "") -> None:
    """Print a ranking, with trends if they fit the screen."""
    points = "mean\nstars>" if game == "claro" else "mean\npoints>"
    columns = (
        "rank>",
        "bot",
        "ver>",
        "score>",
        "trend>",
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
            _trend(row.standing),
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
    if not fits(table(columns, rows)):
        show_table(_less(columns), map(_less, rows), title)
        return
    show_table(columns, rows, title)
    say("trend: how far mu moved in the newest quarter of the matches, if by more than chance")


def _less(cells: Sequence[Any]) -> Sequence[Any]:
    return (*cells[:_TREND], *cells[_TREND + 1 :])


def _trend(standing: Standing) -> str | None:
    """By how much its mu has moved, if that is more than chance explains."""
    trend = standing.trend
    if trend is None or trend.rating is None:
        return None if trend is None else trend.direction.value
    moved = standing.mu - trend.rating.mu
    return "=" if trend.direction is Direction.SAME else f"{moved:+.1f}"
