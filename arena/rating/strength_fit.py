"""Strengths that explain all block scores together: who is likely to be better than whom."""

import math
from collections.abc import Mapping
from typing import Final

from arena.rating.evidence import Pair

#: How much it takes to believe that anybody is far from the middle, in blocks.
_DOUBT: Final = 0.25
_SWEEPS: Final = 200
_SETTLED: Final = 1e-3


def fitted(entries: int, pairs: Mapping[tuple[int, int], Pair]) -> list[float]:
    """The strengths of entries 0..entries-1, by Bradley and Terry (1952).

    The expected share of two is the logistic function of the difference of their strengths. With
    few blocks strengths stay near 0, which is also where an entry is that hasn't played.
    """
    met: list[list[tuple[int, int, float]]] = [[] for _ in range(entries)]
    for (one, other), pair in sorted(pairs.items()):
        share = (1 + pair.total / pair.blocks) / 2
        met[one].append((other, pair.blocks, share))
        met[other].append((one, pair.blocks, 1 - share))
    strengths = [0.0] * entries
    for _ in range(_SWEEPS):
        moved = 0.0
        for entry, others in enumerate(met):
            pull, stiffness = -_DOUBT * strengths[entry], _DOUBT
            for other, blocks, share in others:
                expected = 1 / (1 + math.exp(strengths[other] - strengths[entry]))
                pull += blocks * (share - expected)
                stiffness += blocks * expected * (1 - expected)
            step = max(-1.0, min(1.0, pull / stiffness))
            strengths[entry] += step
            moved = max(moved, abs(step))
        if moved < _SETTLED:
            break
    return strengths
