"""Playing cards as both games of the Claims family use them.

A card's text form is rank then suit, ``As 2h Td Jc Qs Kh`` (ten is ``T``).  Cards are ordered
as RULINGS X6 orders them: ace to king within spades, hearts, diamonds, clubs; that place, 0 to
51, is the card's integer value, so cards sort, index and hash as plain integers do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "shdc"

#: What a rank costs when it is not the round's zero rank (Claims 2): jack 12, queen 13, king 14.
POINTS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14)


class Card(int):
    """One of the 52 cards.  ``Card("As")`` and ``Card(0)`` are the same object.

    Raises ``ValueError`` for a text or a number that names no card.
    """

    #: 0 (ace) to 12 (king): the place in ``RANKS`` and ``POINTS``.
    rank: int
    #: 0 (spades) to 3 (clubs): the place in ``SUITS``.
    suit: int
    #: The card's own bit, 4 * rank + suit: a rank's four suits lie side by side, so that a
    #: hand is one integer and the sets of one rank are read off with a shift.
    bit: int

    def __new__(cls, name: str | int) -> Card:  # noqa: PYI034 - always one of the 52
        """Look the card up: there are only ever 52."""
        card = _BY_NAME.get(name)
        if card is None:
            raise ValueError(
                f"no such card: {name!r} (a card is written rank then suit, like As, Td or 9c)"
            )
        return card

    def __str__(self) -> str:
        """The text form, e.g. ``Td``."""
        return RANKS[self.rank] + SUITS[self.suit]

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def __format__(self, spec: str) -> str:
        """Format the text form, not the number: ``f"{card:>3}"``."""
        return format(str(self), spec)

    def __bool__(self) -> bool:
        """Be true, the ace of spades too, so that ``if observation.takeable:`` works."""
        return True

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return Card, (int(self),)

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self


def _make(index: int) -> Card:
    card = int.__new__(Card, index)
    card.suit, card.rank = divmod(index, len(RANKS))
    card.bit = 1 << (4 * card.rank + card.suit)
    return card


_BY_NAME: dict[str | int, Card] = {}

#: All 52 cards in canonical order.
DECK: Final[tuple[Card, ...]] = tuple(_make(index) for index in range(52))

_BY_NAME.update({str(card): card for card in DECK})
_BY_NAME.update({int(card): card for card in DECK})


def cards(text: str) -> tuple[Card, ...]:
    """Read cards from their text forms: ``cards("Ks Kh 9s")``; ``ValueError`` if one is none."""
    return tuple(Card(name) for name in text.replace(",", " ").split())


def points(hand: Iterable[Card], zero: Card) -> int:
    """What ``hand`` costs in a round whose zero card is ``zero`` (Claims 2, Claim! 2)."""
    free = zero.rank
    return sum(POINTS[card.rank] for card in hand if card.rank != free)
