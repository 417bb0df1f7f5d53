"""How what is believed of some bots came about: their lines through a ranking's moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from arena.app.rankings.table import Ranked, Table
from arena.rating import Moment, Rating

COLUMNS: Final = ("matches", "bot", "version", "score", "mu", "sigma")
"""What each of `History.lines` has."""


@dataclass(frozen=True, slots=True)
class History:
    """What was believed of some bots of a ranking at its moments."""

    rows: tuple[Ranked, ...]
    #: From where the first of them had played, the newest last.
    moments: tuple[Moment, ...]

    @classmethod
    def of(cls, table: Table, rows: Sequence[Ranked]) -> Self:
        """That of these rows of a table."""
        entries = [row.standing.entry for row in rows]
        known = (
            at
            for at, moment in enumerate(table.moments)
            if any(moment.rating(entry) is not None for entry in entries)
        )
        return cls(tuple(rows), table.moments[next(known, len(table.moments)) :])

    def ratings(self, moment: Moment) -> list[Rating | None]:
        """What was believed of each at a moment; None before its first match."""
        return [moment.rating(row.standing.entry) for row in self.rows]

    def thinned(self, most: int) -> list[Moment]:
        """So many moments at most, evenly, the newest one always."""
        step = max(1, -(-len(self.moments) // most))
        return list(self.moments[::-1][::step])[::-1]

    def document(self) -> dict[str, Any]:
        """All of it; numbers are None before a bot's first match."""
        return {
            "matches": [moment.matches for moment in self.moments],
            "bots": [self._line(row) for row in self.rows],
        }

    def _line(self, row: Ranked) -> dict[str, Any]:
        told = [_numbers(moment.rating(row.standing.entry)) for moment in self.moments]
        scores, mu, sigma = ([numbers[at] for numbers in told] for at in range(3))
        return {
            "bot": row.version.bot,
            "version": row.version.number,
            "scores": scores,
            "mu": mu,
            "sigma": sigma,
        }

    def lines(self) -> list[dict[str, Any]]:
        """The same, a line for each bot at each moment."""
        return [
            dict(zip(COLUMNS, (moment.matches, *_called(row), *_numbers(rating)), strict=True))
            for moment in self.moments
            for row, rating in zip(self.rows, self.ratings(moment), strict=True)
        ]


def _called(row: Ranked) -> tuple[str, int]:
    return row.version.bot, row.version.number


def _numbers(rating: Rating | None) -> tuple[float | None, float | None, float | None]:
    """Score, mu and sigma."""
    if rating is None:
        return None, None, None
    return round(rating.score, 4), round(rating.mu, 4), round(rating.sigma, 4)
