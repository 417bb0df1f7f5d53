"""Head to head: what any two entries did against each other, and what it proves.

Were the two equally good, then in each block what the one won more could as well have been the
other's. So all ways to turn blocks round are equally likely, and it can be counted in how many of
them the one does as well as it did (the sign-flip test, R. A. Fisher 1935). That holds for any
number of blocks, and needs no other assumption than that a block treats the two alike: in deals and
seats it does, but within one block of three or more not everyone follows each other equally often,
which evens out over blocks. With more than `EXACT_BLOCKS` the count's normal approximation is
taken.
"""

import math
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from statistics import NormalDist
from typing import Final, overload

from arena.rating.bouts import Bout, Meetings, Pairs

#: As far as it is counted block by block.
EXACT_BLOCKS: Final = 100


@dataclass(frozen=True, slots=True)
class Versus:
    """What `one` did against `other`."""

    one: int
    other: int
    blocks: int
    #: The matches in which they met, and those in which the one ended before the other, ties half.
    met: int
    won: float
    #: The chance that the one is the better of the two: of all ways to turn blocks round, the part
    #: in which it does worse than it did, those in which it does as well being half.
    chance: float
    #: The chance of a difference as large or larger, either way, if the two are equally good...
    p: float
    #: ... and as much allowing for all pairs looked at: of all pairs that are called different
    #: because this is below 5 %, none is called so wrongly in 95 % of all tables (S. Holm, 1979).
    p_of_all: float

    @property
    def share(self) -> float:
        """What share of the matches the one has won."""
        return self.won / self.met

    def turned(self) -> "Versus":
        """The same, seen from the other side."""
        return replace(
            self,
            one=self.other,
            other=self.one,
            won=self.met - self.won,
            chance=1 - self.chance,
        )


def head_to_head(pairs: Pairs, entry: int | None = None) -> tuple[Versus, ...]:
    """All pairs that have met, or only those of `entry`, which then always comes first.

    Only the pairs that are looked at are allowed for: so choose before you have looked.
    """
    found = [
        _versus(one, other, bouts)
        for (one, other), bouts in pairs.items()
        if entry is None or entry in {one, other}
    ]
    return tuple(
        replace(versus, p_of_all=p)
        if versus.one == entry or entry is None
        else replace(versus, p_of_all=p).turned()
        for versus, p in zip(found, _holm([versus.p for versus in found]), strict=True)
    )


class HeadToHead(Sequence[Versus]):
    """All pairs that have met, by the places of the two: who has the better place comes first.

    The same as `head_to_head` of all, for millions of them: kept is what allowing for all pairs
    needs, and a pair is counted when it is looked at.
    """

    def __init__(self, meetings: Meetings, places: Mapping[int, int]) -> None:
        """`places` has one for every entry, none of them twice."""
        self._meetings = meetings
        self._places = places
        keys = array("Q", map(self._key, meetings.one, meetings.other))
        #: The bouts by pair, and from which on they are a pair's.
        self._bouts = array("I", sorted(range(len(keys)), key=keys.__getitem__))
        self._keys, self._starts, chances = array("Q"), array("I", [0]), array("d")
        for key, of_pair in groupby(self._bouts, key=keys.__getitem__):
            leads = [round(2 * meetings.won[at]) - meetings.met[at] for at in of_pair]
            self._keys.append(key)
            self._starts.append(self._starts[-1] + len(leads))
            chances.append(_p(leads))
        self._allowed = array("d", _holm(chances))

    def __len__(self) -> int:
        return len(self._keys)

    @overload
    def __getitem__(self, at: int) -> Versus: ...
    @overload
    def __getitem__(self, at: slice) -> list[Versus]: ...

    def __getitem__(self, at: int | slice) -> Versus | list[Versus]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        at = range(len(self))[at]
        bouts = self._bouts[self._starts[at] : self._starts[at + 1]]
        one, other = self._meetings.one[bouts[0]], self._meetings.other[bouts[0]]
        found = _versus(one, other, [self._meetings.bout(each) for each in bouts])
        found = replace(found, p_of_all=self._allowed[at])
        return found if self._places[one] < self._places[other] else found.turned()

    def between(self, one: int, other: int) -> Versus | None:
        """What the one did against the other; None if they haven't met."""
        key = self._key(one, other)
        at = bisect_left(self._keys, key)
        if at == len(self) or self._keys[at] != key:
            return None
        return self[at] if self._places[one] < self._places[other] else self[at].turned()

    def _key(self, one: int, other: int) -> int:
        mine, its = self._places[one], self._places[other]
        return mine << 32 | its if mine < its else its << 32 | mine


def _versus(one: int, other: int, bouts: Sequence[Bout]) -> Versus:
    #: By block, how much more often the one ended before the other than behind it.
    leads = [round(2 * bout.won) - bout.met for bout in bouts]
    as_good, better = _turned(tuple(leads))
    return Versus(
        one=one,
        other=other,
        blocks=len(bouts),
        met=sum(bout.met for bout in bouts),
        won=sum(bout.won for bout in bouts),
        chance=1 - better - as_good / 2,
        p=_p(leads),
        p_of_all=math.nan,
    )


def _p(leads: Sequence[int]) -> float:
    as_good, better = _turned(tuple(leads))
    return min(1.0, 2 * min(better + as_good, 1 - better))


@lru_cache(maxsize=10_000)
def _turned(leads: tuple[int, ...]) -> tuple[float, float]:
    """Of all ways to turn blocks round, in what part is the lead as large, in what part larger?"""
    lead = sum(leads)
    steps = [abs(step) for step in leads if step]
    if len(steps) > EXACT_BLOCKS:
        return 0.0, NormalDist(0, math.hypot(*steps)).cdf(-lead)
    #: By the sum of the steps that are turned against the one: the number of ways to do so.
    ways = [1]
    for step in steps:
        ways = [
            stay + turn for stay, turn in zip(ways + [0] * step, [0] * step + ways, strict=True)
        ]
    # What is turned counts twice: the lead is all steps less twice the turned ones.
    turned = (sum(steps) - lead) // 2
    total = 2 ** len(steps)
    return ways[turned] / total, sum(ways[:turned]) / total


def _holm(chances: Sequence[float]) -> list[float]:
    """Every chance as much larger as it must be for all to be looked at together."""
    allowed = [0.0] * len(chances)
    largest = 0.0
    for done, at in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        largest = max(largest, min(1.0, (len(chances) - done) * chances[at]))
        allowed[at] = largest
    return allowed
