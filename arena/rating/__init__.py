"""From results to ratings and standings.

Pure: the same results in the same order give the same numbers, bit for bit on one platform; nothing
here is stored, so everything can be worked out again.  This room must not know where results come
from, who the entries are, or what was played.  Statements beside the rating that a person can check
(intervals, head-to-head) have their place here too.
"""

from arena.rating.standings import MatchResult, Standing, standings
from arena.rating.trueskill import DRAW_PROBABILITY, Rater, Rating, TrueSkillRater

__all__ = [
    "DRAW_PROBABILITY",
    "MatchResult",
    "Rater",
    "Rating",
    "Standing",
    "TrueSkillRater",
    "standings",
]
