"""What the luck of the deal was worth: results corrected for cards that were better than owed.

A control variate. The difference of two entries' luck is 0 on average whatever they do, and it
moves who ends before whom. So part of a result is explained by it, and without that part the result
has the same mean and varies less. How much a unit of luck is worth is measured: a regression over
all blocks, for any game, table or field. In a meeting whose outcome was hardly open no luck could
have turned it, so there it counts less: by 4p(1-p) of what it is worth between equals, where p is
the share that the first won of the *other* meetings of the two. (Were its own block part of that,
good luck would make itself count less, and the mean would be off.)
"""

import math
from array import array
from collections.abc import Iterator
from typing import Final

from arena.rating.bouts import Meetings

#: With fewer blocks there is too little to measure what luck is worth.
FEWEST_BLOCKS: Final = 30


def gifts(meetings: Meetings) -> "array[float] | None":
    """For every bout what luck gave the first of the two, in matches won; no number: not known.

    None altogether, if there are too few blocks to say what luck is worth.
    """
    columns = zip(meetings.block, meetings.luck, strict=True)
    known = {block for block, luck in columns if not math.isnan(luck)}
    if len(known) < FEWEST_BLOCKS:
        return None
    shares = array("d", _strengths(meetings))
    worth = _worth(meetings, shares)
    return array(
        "d",
        (worth * _open(share) * luck for share, luck in zip(shares, meetings.luck, strict=True)),
    )


def _worth(meetings: Meetings, shares: "array[float]") -> float:
    """What a unit of luck is worth between equals, in matches won: the regression's slope."""
    products = squares = 0.0
    for share, met, won, told in zip(
        shares, meetings.met, meetings.won, meetings.luck, strict=True
    ):
        if not math.isnan(told):
            luck = _open(share) * told
            products += luck * (won - share * met)
            squares += luck * luck
    return products / squares if squares else 0.0


def _strengths(meetings: Meetings) -> Iterator[float]:
    """For every bout what share the first won of the others, half a win and a loss added."""
    totals: dict[tuple[int, int], tuple[int, float]] = {}
    for one, other, met, won in zip(
        meetings.one, meetings.other, meetings.met, meetings.won, strict=True
    ):
        all_met, all_won = totals.get((one, other), (0, 0.0))
        totals[one, other] = all_met + met, all_won + won
    for one, other, met, won in zip(
        meetings.one, meetings.other, meetings.met, meetings.won, strict=True
    ):
        all_met, all_won = totals[one, other]
        yield (all_won - won + 0.5) / (all_met - met + 1)


def _open(share: float) -> float:
    """How open a meeting is, from 0 to 1."""
    return 4 * share * (1 - share)
