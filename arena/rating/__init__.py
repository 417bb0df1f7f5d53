"""From results to ratings and standings.

Pure: equal results give equal numbers, bit for bit on one platform, in whatever order they arrive;
nothing here is stored, so everything can be worked out again. This room must not know where results
come from, who the entries are, or what was played.

What else results say about entries stands beside `standings` and takes the same results: `bouts`
takes them apart by pairs and blocks, `beaten` makes shares with intervals of them, with and without
the luck of the deal, and `head_to_head` what any two prove against each other. Standings have a
`Trend`, and how ratings came about is told by `Moment`s, and for each entry alone by its path of
`Step`s. `Evidence` and `separate` say what is proven of an order if one looks again and again, as
adaptive tournaments do.
"""

from arena.rating.bouts import Bout, Meetings, Pairs, bouts
from arena.rating.evidence import Evidence
from arena.rating.intervals import Interval
from arena.rating.learning import ByBlock, ByMatch, Learner, Passes
from arena.rating.moments import Direction, Moment, Trend
from arena.rating.paths import Paths, Step
from arena.rating.results import MatchResult, RatingError
from arena.rating.separation import Neighbours, Separation, check_confidence, separate
from arena.rating.shares import Beaten, Share, beaten
from arena.rating.standings import Ladder, Standing, standings
from arena.rating.strengths import Rater, Rating
from arena.rating.trueskill import BETA, DRAW_PROBABILITY, SIGMA_FLOOR, PackageRater, TrueSkillRater
from arena.rating.versus import HeadToHead, Versus, head_to_head

__all__ = [
    "BETA",
    "DRAW_PROBABILITY",
    "SIGMA_FLOOR",
    "Beaten",
    "Bout",
    "ByBlock",
    "ByMatch",
    "Direction",
    "Evidence",
    "HeadToHead",
    "Interval",
    "Ladder",
    "Learner",
    "MatchResult",
    "Meetings",
    "Moment",
    "Neighbours",
    "PackageRater",
    "Pairs",
    "Passes",
    "Paths",
    "Rater",
    "Rating",
    "RatingError",
    "Separation",
    "Share",
    "Standing",
    "Step",
    "Trend",
    "TrueSkillRater",
    "Versus",
    "beaten",
    "bouts",
    "check_confidence",
    "head_to_head",
    "separate",
    "standings",
]
