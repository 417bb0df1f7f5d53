"""From results to ratings and standings.

Pure: equal results give equal numbers, bit for bit on one platform, in whatever order they arrive;
nothing here is stored, so everything can be worked out again. This room must not know where results
come from, who the entries are, or what was played.

What else results say about entries (intervals, head-to-head tables, the luck of the deal) belongs
into a module of its own here, beside `standings`: it takes the same results.
"""

from arena.rating.learning import ByBlock, ByMatch, Learner, Passes
from arena.rating.results import MatchResult, RatingError
from arena.rating.standings import Ladder, Standing, standings
from arena.rating.strengths import Rater, Rating
from arena.rating.trueskill import BETA, DRAW_PROBABILITY, SIGMA_FLOOR, PackageRater, TrueSkillRater

__all__ = [
    "BETA",
    "DRAW_PROBABILITY",
    "SIGMA_FLOOR",
    "ByBlock",
    "ByMatch",
    "Ladder",
    "Learner",
    "MatchResult",
    "PackageRater",
    "Passes",
    "Rater",
    "Rating",
    "RatingError",
    "Standing",
    "TrueSkillRater",
    "standings",
]
