"""Ratings by TrueSkill, through the ``trueskill`` package and behind a protocol of our own."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

with warnings.catch_warnings():
    # Version 0.4.5 has an invalid escape sequence, which shows when it is first compiled.
    for category in (SyntaxWarning, DeprecationWarning):
        warnings.filterwarnings("ignore", "invalid escape sequence|.*is an invalid", category)
    import trueskill as package

#: How often a pair of entries ties, for want of a measured figure.
DRAW_PROBABILITY: Final = 0.01
#: At draw probability 0 a tie makes ratings less certain instead of more, so this is the least.
_LEAST_DRAW_PROBABILITY: Final = 1e-4


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong an entry is believed to be: a normal distribution."""

    mu: float
    sigma: float

    @property
    def score(self) -> float:
        """What rankings go by: a strength that the entry has almost surely, mu - 3 sigma."""
        return self.mu - 3 * self.sigma


class Rater(Protocol):
    """A way to learn strengths from matches."""

    def new(self) -> Rating:
        """What is believed of an entry that has not played."""

    def update(self, before: Mapping[int, Rating], ranks: Mapping[int, int]) -> dict[int, Rating]:
        """What is believed of the entries in ``ranks`` after a match that ended so.

        Lower ranks are better; equal ones are ties.
        """


class TrueSkillRater:
    """TrueSkill for free-for-all matches, ties included."""

    def __init__(self, *, draw_probability: float = DRAW_PROBABILITY) -> None:
        """Raises ``ValueError`` unless 0 <= ``draw_probability`` < 1."""
        if not 0 <= draw_probability < 1:
            raise ValueError(
                f"the draw probability is {draw_probability}, but must be from 0 to below 1"
            )
        # The default backend: scipy's and mpmath's take ten times as long.
        self._env = package.TrueSkill(
            draw_probability=max(draw_probability, _LEAST_DRAW_PROBABILITY), backend=None
        )

    def new(self) -> Rating:
        """The package's usual beginning: 25 +- 25/3."""
        return Rating(self._env.mu, self._env.sigma)

    def update(self, before: Mapping[int, Rating], ranks: Mapping[int, int]) -> dict[int, Rating]:
        """One update for the whole match."""
        # With ties the result depends on the order of the arguments in the third decimal.
        entries = sorted(ranks)
        groups = [
            (self._env.create_rating(before[entry].mu, before[entry].sigma),) for entry in entries
        ]
        rated: Sequence[Sequence[package.Rating]] = self._env.rate(
            groups, ranks=[ranks[entry] for entry in entries]
        )
        return {
            entry: Rating(after.mu, after.sigma)
            for entry, (after,) in zip(entries, rated, strict=True)
        }
