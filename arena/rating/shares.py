"""What share of its opponents an entry has beaten: a score that a person can check.

Of all the times that an entry sat at a table with another one, the share of those in which it ended
before it; a tie is half. A table of four holds three such meetings for everyone. It means the same
in every game and at every table: 50 % is what the average of any field has, 100 % means to win
always. It doesn't ask how strong the opponents were: that is what a rating is for.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from arena.rating import luck
from arena.rating.bouts import Pairs
from arena.rating.intervals import Interval, interval


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


def beaten(pairs: Pairs, entries: Iterable[int] = ()) -> dict[int, Beaten]:
    """Count for everybody in `pairs` and `entries`."""
    accounts: dict[int, dict[int, _Block]] = {entry: {} for entry in entries}
    given = luck.gifts(pairs)
    for pair, bouts in pairs.items():
        one, other = (accounts.setdefault(entry, {}) for entry in pair)
        for at, bout in enumerate(bouts):
            gift = None if given is None else given[pair][at]
            one.setdefault(bout.block, _Block()).add(bout.met, bout.won, gift)
            other.setdefault(bout.block, _Block()).add(
                bout.met, bout.met - bout.won, None if gift is None else -gift
            )
    return {
        entry: _beaten([blocks[at] for at in sorted(blocks)]) for entry, blocks in accounts.items()
    }


@dataclass(slots=True)
class _Block:
    """One entry's meetings in one block."""

    met: int = 0
    won: float = 0.0
    gift: float | None = 0.0

    def add(self, met: int, won: float, gift: float | None) -> None:
        self.met += met
        self.won += won
        self.gift = None if gift is None or self.gift is None else self.gift + gift


def _beaten(blocks: list[_Block]) -> Beaten:
    if not blocks:
        return Beaten(0, 0, None, None)
    fair = [(block.won - block.gift, block.met) for block in blocks if block.gift is not None]
    return Beaten(
        blocks=len(blocks),
        met=sum(block.met for block in blocks),
        plain=_share([(block.won, block.met) for block in blocks]),
        adjusted=_share(fair) if len(fair) == len(blocks) else None,
    )


def _share(blocks: list[tuple[float, int]]) -> Share:
    won, met = sum(won for won, _ in blocks), sum(met for _, met in blocks)
    return Share(won / met, interval(blocks))
