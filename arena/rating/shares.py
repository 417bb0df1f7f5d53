"""What share of its opponents an entry has beaten: a score that a person can check.

Of all the times that an entry sat at a table with another one, the share of those in which it ended
before it; a tie is half. A table of four holds three such meetings for everyone. It means the same
in every game and at every table: 50 % is what the average of any field has, 100 % means to win
always. It doesn't ask how strong the opponents were: that is what a rating is for.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from operator import itemgetter
from typing import Final, TypeAlias

from arena.rating import luck
from arena.rating.bouts import Meetings
from arena.rating.intervals import Interval, intervals


@dataclass(frozen=True, slots=True)
class Share:
    """A share and how sure it is."""

    value: float
    #: None where there are too few blocks to say.
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Beaten:
    """How one entry has fared against all that it met."""

    blocks: int
    #: How often it sat at a table with another entry.
    met: int
    #: None if it has met nobody.
    plain: Share | None
    #: The same with the luck of the deal taken out, which can lead below 0 or above 1. None where
    #: luck isn't known for all of its matches, or there are too few blocks to say what it is worth.
    adjusted: Share | None

    @property
    def luck(self) -> float | None:
        """What part of the plain share the luck of the deal gave it or took from it."""
        if self.plain is None or self.adjusted is None:
            return None
        return self.plain.value - self.adjusted.value


def beaten(meetings: Meetings, entries: Iterable[int] = ()) -> dict[int, Beaten]:
    """Count for everybody in `meetings` and `entries`."""
    accounts: dict[int, list[_Block]] = {entry: [] for entry in entries}
    given = luck.gifts(meetings) or repeat(math.nan, meetings.bouts)
    by_block = groupby(
        zip(
            meetings.block, meetings.one, meetings.other, meetings.met, meetings.won, given,
            strict=True,
        ),
        key=itemgetter(0),
    )  # fmt: skip
    for _, bouts in by_block:
        told: dict[int, _Block] = {}
        for _, one, other, met, won, gift in bouts:
            mine, its = told.get(one, _NOTHING), told.get(other, _NOTHING)
            told[one] = mine[0] + met, mine[1] + won, mine[2] + gift
            told[other] = its[0] + met, its[1] + met - won, its[2] - gift
        for entry, block in told.items():
            accounts.setdefault(entry, []).append(block)
    return dict(zip(accounts, _all_beaten(list(accounts.values())), strict=True))


#: One entry's meetings in one block: how many, how many of them won, and what luck gave; no number
#: where luck isn't known.
_Block: TypeAlias = tuple[int, float, float]
_NOTHING: Final[_Block] = (0, 0.0, 0.0)


def _all_beaten(accounts: Sequence[Sequence[_Block]]) -> Iterator[Beaten]:
    plain = _shares([[(won, met) for met, won, _ in blocks] for blocks in accounts])
    adjusted = _shares(
        [
            [(won - gift, met) for met, won, gift in blocks] if _is_known(blocks) else []
            for blocks in accounts
        ]
    )
    for blocks, share, fair in zip(accounts, plain, adjusted, strict=True):
        yield Beaten(len(blocks), sum(met for met, _, _ in blocks), share, fair)


def _is_known(blocks: Sequence[_Block]) -> bool:
    return not any(math.isnan(gift) for _, _, gift in blocks)


def _shares(accounts: Sequence[Sequence[tuple[float, int]]]) -> Iterator[Share | None]:
    """One for each account; None for one that is empty."""
    for blocks, found in zip(accounts, intervals(accounts), strict=True):
        won, met = sum(won for won, _ in blocks), sum(met for _, met in blocks)
        yield Share(won / met, found) if met else None
