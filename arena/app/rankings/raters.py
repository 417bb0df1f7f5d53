"""How a game's results are rated: what has been measured of it, and the ways one may choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from arena.app.errors import WrongCall
from arena.rating import ByBlock, ByMatch, Learner, PackageRater, Passes, TrueSkillRater

#: How often two equally strong bots end a match level, by game and number of players, as measured
#: by `python -m benches.fairness.calibrate` (docs/9-ranking.md). In Claim! hardly any did.
DRAWS: Final[Mapping[str, Mapping[int, float]]] = {
    "claims": dict.fromkeys(range(2, 8), 0.005),
    "claim": dict.fromkeys(range(2, 9), 0.001),
    "claro": {3: 0.12, 4: 0.18, 5: 0.23, 6: 0.25},
}


def _plain(game: str) -> TrueSkillRater:
    return TrueSkillRater(draw_probability=DRAWS[game])


DEFAULT: Final = "match"
#: The ways to rate.
WAYS: Final[Mapping[str, Callable[[str], Learner]]] = {
    "match": lambda game: ByMatch(_plain(game)),
    "block": lambda game: ByBlock(_plain(game)),
    "passes": lambda game: Passes(_plain(game)),
    "package": lambda game: ByMatch(PackageRater(draw_probability=DRAWS[game])),
}


def learner(game: str, way: str = DEFAULT) -> Learner:
    """What learns strengths from results of a game, with nothing learnt yet.

    Raises ``WrongCall`` for a way that does not exist.
    """
    if way not in WAYS:
        raise WrongCall(f"ratings are made by {', '.join(WAYS)}, not by {way}")
    return WAYS[way](game)
