"""Ratings by TrueSkill: in plain floats, or through the package of that name.

Both are the same algorithm. The first is some ten times as fast, which counts when thousands of
matches are rated again; the package is the reference that tests hold it to.
"""

import importlib
import math
import warnings
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from arena.rating.freeforall import draw_margin, updated
from arena.rating.results import RatingError
from arena.rating.strengths import Rating

#: What is believed of a newcomer, as usual.
MU: Final = 25.0
SIGMA: Final = 25 / 3
#: The standard deviation of a performance around its strength.
BETA: Final = SIGMA / 2
#: How often two equals tie, where it has not been measured.
DRAW_PROBABILITY: Final = 0.01
#: With draw probability 0 a tie makes the package less sure of everybody instead of more, and just
#: above it its arithmetic is too coarse, so it is given at least this, which is as good as never.
_LEAST_DRAW_PROBABILITY: Final = 0.001
#: Nobody is known better than this: far less than ranks tell in any tournament that ends.
SIGMA_FLOOR: Final = SIGMA / 1000


class _Settings:
    """What both raters are told, checked."""

    def __init__(
        self,
        *,
        draw_probability: float | Mapping[int, float] = DRAW_PROBABILITY,
        beta: float = BETA,
        drift: float = 0.0,
        sigma_floor: float = SIGMA_FLOOR,
    ) -> None:
        """`draw_probability` is for all table sizes, or one by table size.

        It may be 0: a tie then still means that two are about equally strong. `drift` is by how
        much strengths are believed to change from match to match; a version never changes, and
        the package's usual 25/300 keeps orders from ever settling.

        Raises RatingError.
        """
        if not isinstance(draw_probability, Mapping):
            draw_probability = dict.fromkeys(range(2, 9), draw_probability)
        self._draws = draw_probability
        for one in self._draws.values():
            if not 0 <= one < 1:
                raise RatingError(f"a draw probability is from 0 to below 1, so it cannot be {one}")
        for name, value in (("beta", beta), ("the floor of sigma", sigma_floor)):
            if not 0 < value < math.inf:
                raise RatingError(f"{name} is above 0, so it cannot be {value}")
        if not 0 <= drift < math.inf:
            raise RatingError(f"a drift is 0 or more, so it cannot be {drift}")
        self._beta = beta
        self._drift = drift
        self._sigma_floor = sigma_floor

    def new(self) -> Rating:
        """The usual beginning: 25, give or take 25/3."""
        return Rating(MU, SIGMA)

    def _draw_probability(self, seats: int) -> float:
        return max(self._draws.get(seats, DRAW_PROBABILITY), _LEAST_DRAW_PROBABILITY)


class TrueSkillRater(_Settings):
    """TrueSkill for matches of everyone against everyone, ties included, in plain floats."""

    def update(
        self, before: Mapping[int, Rating], ranks: Mapping[int, int], *, matches: float = 1
    ) -> dict[int, Rating]:
        """One update for a whole match, or for several together, as certain as `matches`."""
        # With ties the order of the entries shows in the third decimal.
        entries = sorted(ranks, key=lambda entry: (ranks[entry], entry))
        noise = self._beta**2 / matches
        means, variances = updated(
            [before[entry].mu for entry in entries],
            [before[entry].sigma ** 2 + self._drift**2 for entry in entries],
            [ranks[entry] for entry in entries],
            noise,
            _margin(self._draw_probability(len(entries)), math.sqrt(noise)),
        )
        return {
            entry: Rating(mean, max(math.sqrt(variance), self._sigma_floor))
            for entry, mean, variance in zip(entries, means, variances, strict=True)
        }


class PackageRater(_Settings):
    """The same through the trueskill package: the reference, ten times as slow."""

    def update(
        self, before: Mapping[int, Rating], ranks: Mapping[int, int], *, matches: float = 1
    ) -> dict[int, Rating]:
        """One update for a whole match, or for several together, as certain as `matches`.

        Raises RatingError where a result is too surprising for the package's arithmetic.
        """
        env = _package().TrueSkill(
            MU,
            SIGMA,
            self._beta / math.sqrt(matches),
            self._drift,
            self._draw_probability(len(ranks)),
            # No backend: scipy's and mpmath's take ten times as long.
            backend=None,
        )
        entries = sorted(ranks)
        groups = [(env.create_rating(before[entry].mu, before[entry].sigma),) for entry in entries]
        try:
            rated = env.rate(groups, ranks=[ranks[entry] for entry in entries])
        except (ArithmeticError, ValueError) as error:
            raise RatingError(
                "the trueskill package cannot compute with so surprising a result: "
                "use the rater in plain floats"
            ) from error
        return {
            entry: Rating(after.mu, max(after.sigma, self._sigma_floor))
            for entry, (after,) in zip(entries, rated, strict=True)
        }


#: The inverse of the normal distribution takes as long as the rest of an update.
_margin = cache(draw_margin)


@cache
def _package() -> Any:
    """The package, loaded when it is first asked: ratings can be made and read without it.

    Version 0.4.5 has an invalid escape sequence, which is a warning when Python compiles it. Where
    warnings are errors it must not stop us; other warnings go their way.
    """
    with warnings.catch_warnings():
        for category in (DeprecationWarning, SyntaxWarning):
            warnings.filterwarnings("ignore", r".*invalid escape sequence", category)
        return importlib.import_module("trueskill")
