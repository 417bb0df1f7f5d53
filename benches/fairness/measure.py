"""From many runs of a way to one number: after how many matches is the order right?"""

from __future__ import annotations

import math
from collections.abc import Sequence

#: From then on so many of the runs show the right order.
SURE = 0.95


def marks_to(most: int, first: int = 4, *, growth: float = 1.1) -> list[int]:
    """Numbers of matches at which orders are looked at, each a tenth more than the one before."""
    marks = [first]
    while marks[-1] < most:
        marks.append(min(most, max(marks[-1] + 1, math.ceil(marks[-1] * growth))))
    return marks


def until_right(marks: Sequence[int], right: Sequence[Sequence[bool]]) -> int | None:
    """From how many matches on the order is right in 95 of 100 runs; None if it isn't at the end.

    ``right`` has a row for each run: was its order right, by mark? As a share of a few hundred runs
    goes up and down by chance, shares are averaged over marks near by (up to a quarter more or
    less), and from the mark found to the last they must be 95 of 100 on average, too.
    """
    shares = [sum(column) / len(right) for column in zip(*right, strict=True)]
    for at, mark in enumerate(marks):
        near = [
            share
            for other, share in zip(marks, shares, strict=True)
            if mark / 1.25 <= other <= mark * 1.25
        ]
        later = shares[at:]
        if sum(near) / len(near) >= SURE and sum(later) / len(later) >= SURE:
            return mark
    return None
