"""Fields of known strengths that play by chance, and single results by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence

from arena.rating import MatchResult


def result(
    place: tuple[int, ...],
    entries: Sequence[int],
    ranks: Sequence[int],
    luck: Sequence[float] | None = None,
) -> MatchResult:
    """A result in which nothing but the ranks matters."""
    nothing = (0,) * len(entries)
    lucks = None if luck is None else tuple(luck)
    return MatchResult(place, tuple(entries), tuple(ranks), nothing, nothing, lucks)


def played(
    strengths: Sequence[float],
    *,
    blocks: int,
    size: int,
    seed: int,
    whole: bool = True,
    deal: float = 1.0,
) -> list[MatchResult]:
    """Blocks of random tables, whole ones or their first matches only.

    Each performs as its strength, plus its seat's cards (a normal number of spread `deal`, of which
    the result tells two thirds), plus a normal number of spread 1.
    """
    chance = random.Random(seed)
    found = []
    for block in range(blocks):
        table = chance.sample(range(len(strengths)), size)
        cards = [deal * chance.gauss(0, 1) for _ in table]
        told = [card + deal * chance.gauss(0, 0.7) for card in cards]
        for rotation in range(size if whole else 1):
            seated = table[rotation:] + table[:rotation]
            performed = [
                strengths[entry] + card + chance.gauss(0, 1)
                for entry, card in zip(seated, cards, strict=True)
            ]
            ranks = [1 + sum(other > mine for other in performed) for mine in performed]
            found.append(result((block, rotation), seated, ranks, told))
    return found
