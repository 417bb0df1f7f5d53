"""How what is believed of some bots came about.

Side by side at a ranking's moments (`History`), or each over matches of its own (`OwnHistory`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar

from arena.app.rankings.table import Ranked, Table
from arena.rating import Moment, Rating, Step

COLUMNS: Final = ("matches", "bot", "version", "score", "mu", "sigma")
"""What each of a history's `lines` has; the matches are the ranking's, or the bot's own."""


T = TypeVar("T")


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
        return _thinned(self.moments, most)

    def document(self) -> dict[str, Any]:
        """All of it; numbers are None before a bot's first match."""
        return {
            "matches": [moment.matches for moment in self.moments],
            "bots": [self._line(row) for row in self.rows],
        }

    def _line(self, row: Ranked) -> dict[str, Any]:
        return _line(row, [moment.rating(row.standing.entry) for moment in self.moments])

    def lines(self) -> list[dict[str, Any]]:
        """The same, a line for each bot at each moment."""
        return [
            dict(zip(COLUMNS, (moment.matches, *_called(row), *_numbers(rating)), strict=True))
            for moment in self.moments
            for row, rating in zip(self.rows, self.ratings(moment), strict=True)
        ]


@dataclass(frozen=True, slots=True)
class OwnHistory:
    """What was believed of some bots of a ranking after matches of their own."""

    rows: tuple[Ranked, ...]
    #: By row, the newest step last.
    paths: tuple[tuple[Step, ...], ...]

    @classmethod
    def of(cls, table: Table, rows: Sequence[Ranked]) -> Self:
        """That of these rows of a table."""
        standings = [row.standing for row in rows]
        paths = (tuple(table.paths.of(each.entry, each.rating)) for each in standings)
        return cls(tuple(rows), tuple(paths))

    def thinned(self, most: int) -> list[tuple[Ranked, Step]]:
        """So many steps of each at most, evenly, its newest one always."""
        return [
            (row, step)
            for row, path in zip(self.rows, self.paths, strict=True)
            for step in _thinned(path, most)
        ]

    def document(self) -> dict[str, Any]:
        """All of it."""
        return {
            "bots": [
                {"matches": [step.matches for step in path]}
                | _line(row, [step.rating for step in path])
                for row, path in zip(self.rows, self.paths, strict=True)
            ]
        }

    def lines(self) -> list[dict[str, Any]]:
        """The same, a line for each step of each bot."""
        return [
            dict(zip(COLUMNS, (step.matches, *_called(row), *_numbers(step.rating)), strict=True))
            for row, path in zip(self.rows, self.paths, strict=True)
            for step in path
        ]


def _thinned(all_: Sequence[T], most: int) -> list[T]:
    step = max(1, -(-len(all_) // most))
    return list(all_[::-1][::step])[::-1]


def _line(row: Ranked, ratings: Sequence[Rating | None]) -> dict[str, Any]:
    told = [_numbers(rating) for rating in ratings]
    scores, mu, sigma = ([numbers[at] for numbers in told] for at in range(3))
    return {
        "bot": row.version.bot,
        "version": row.version.number,
        "scores": scores,
        "mu": mu,
        "sigma": sigma,
    }


def _called(row: Ranked) -> tuple[str, int]:
    return row.version.bot, row.version.number


def _numbers(rating: Rating | None) -> tuple[float | None, float | None, float | None]:
    """Score, mu and sigma."""
    if rating is None:
        return None, None, None
    return round(rating.score, 4), round(rating.mu, 4), round(rating.sigma, 4)
