"""Ratings by TrueSkill, through the package of that name."""

import importlib
import warnings
from collections.abc import Mapping
from typing import Any, Final

from arena.rating.results import RatingError
from arena.rating.strengths import Rating

#: How often two entries tie, until it is measured.
DRAW_PROBABILITY: Final = 0.01
#: With draw probability 0 a tie makes the package less sure of everybody instead of more, and just
#: above it its arithmetic is too coarse, so it is given at least this, which is as good as never.
_LEAST_DRAW_PROBABILITY: Final = 0.001
#: Nobody is known better than this: the step by which TrueSkill lets strengths drift, a match.
SIGMA_FLOOR: Final = 25 / 300


class TrueSkillRater:
    """TrueSkill for matches of everyone against everyone, one update a match, ties included."""

    def __init__(
        self, *, draw_probability: float = DRAW_PROBABILITY, sigma_floor: float = SIGMA_FLOOR
    ) -> None:
        """`draw_probability` may be 0: a tie then still means that two are about equally strong.

        Raises RatingError.
        """
        if not 0 <= draw_probability < 1:
            raise RatingError(
                f"a draw probability is from 0 to below 1, so it cannot be {draw_probability}"
            )
        if not sigma_floor > 0:
            raise RatingError(f"the floor of sigma is above 0, so it cannot be {sigma_floor}")
        # No backend: scipy's and mpmath's take ten times as long.
        self._env = _package().TrueSkill(
            draw_probability=max(draw_probability, _LEAST_DRAW_PROBABILITY), backend=None
        )
        self._sigma_floor = sigma_floor

    def new(self) -> Rating:
        """The usual beginning: 25, give or take 25/3."""
        return Rating(float(self._env.mu), float(self._env.sigma))

    def update(self, before: Mapping[int, Rating], ranks: Mapping[int, int]) -> dict[int, Rating]:
        """One update for the whole match."""
        # With ties the order of the arguments shows in the third decimal.
        entries = sorted(ranks)
        groups = [
            (self._env.create_rating(before[entry].mu, before[entry].sigma),) for entry in entries
        ]
        rated = self._env.rate(groups, ranks=[ranks[entry] for entry in entries])
        return {
            entry: Rating(after.mu, max(after.sigma, self._sigma_floor))
            for entry, (after,) in zip(entries, rated, strict=True)
        }


def _package() -> Any:
    """The package, loaded when a rater is first made: ratings can be read without it.

    Version 0.4.5 has an invalid escape sequence, which is a warning when Python compiles it. Where
    warnings are errors it must not stop us; other warnings go their way.
    """
    with warnings.catch_warnings():
        for category in (DeprecationWarning, SyntaxWarning):
            warnings.filterwarnings("ignore", r".*invalid escape sequence", category)
        return importlib.import_module("trueskill")
