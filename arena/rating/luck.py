"""What the luck of the deal was worth: results corrected for cards that were better than owed.

A control variate. The difference of two entries' luck is 0 on average whatever they do, and it
moves who ends before whom. So part of a result is explained by it, and without that part the result
has the same mean and varies less. How much a unit of luck is worth is measured: a regression over
all blocks, for any game, table or field. In a meeting whose outcome was hardly open no luck could
have turned it, so there it counts less: by 4p(1-p) of what it is worth between equals, where p is
the share that the first won of the *other* meetings of the two. (Were its own block part of that,
good luck would make itself count less, and the mean would be off.)
"""

from collections.abc import Sequence
from typing import Final

from arena.rating.bouts import Bout, Pairs

#: With fewer blocks there is too little to measure what luck is worth.
FEWEST_BLOCKS: Final = 30


def gifts(pairs: Pairs) -> dict[tuple[int, int], list[float | None]] | None:
    """For every bout what luck gave the first of the two, in matches won; None: not known.

    None altogether, if there are too few blocks to say what luck is worth.
    """
    known = {bout.block for bouts in pairs.values() for bout in bouts if bout.luck is not None}
    if len(known) < FEWEST_BLOCKS:
        return None
    strengths = {pair: _strengths(bouts) for pair, bouts in pairs.items()}
    worth = _worth(pairs, strengths)
    return {
        pair: [
            None if bout.luck is None else worth * _open(share) * bout.luck
            for bout, share in zip(bouts, strengths[pair], strict=True)
        ]
        for pair, bouts in pairs.items()
    }


def _worth(pairs: Pairs, strengths: dict[tuple[int, int], list[float]]) -> float:
    """What a unit of luck is worth between equals, in matches won: the regression's slope."""
    products = squares = 0.0
    for pair, bouts in pairs.items():
        for bout, share in zip(bouts, strengths[pair], strict=True):
            if bout.luck is not None:
                luck = _open(share) * bout.luck
                products += luck * (bout.won - share * bout.met)
                squares += luck * luck
    return products / squares if squares else 0.0


def _strengths(bouts: Sequence[Bout]) -> list[float]:
    """For every bout what share the first won of the others, half a win and a loss added."""
    met, won = sum(bout.met for bout in bouts), sum(bout.won for bout in bouts)
    return [(won - bout.won + 0.5) / (met - bout.met + 1) for bout in bouts]


def _open(share: float) -> float:
    """How open a meeting is, from 0 to 1."""
    return 4 * share * (1 - share)
