"""The 52 cards of Claims and Claim!, their points, and what may be burned together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

RANKS = "A23456789TJQK"
SUITS = "shdc"
# X6: ranks A to K within spades, hearts, diamonds, clubs.
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
_PLACE = {card: place for place, card in enumerate(CARDS)}
_POINTS = {"A": 1, "T": 10, "J": 12, "Q": 13, "K": 14} | {str(face): face for face in range(2, 10)}


def canonical(cards: Iterable[str]) -> list[str]:
    """The cards in canonical order (X6)."""
    return sorted(cards, key=_PLACE.__getitem__)


def value(hand: Iterable[str], zero: str) -> int:
    """A hand's points, 0 for cards of the zero card's rank (Claims 2, Claim! 2)."""
    return sum(_POINTS[card[0]] for card in hand if card[0] != zero[0])


def burn_fault(hand: Sequence[str], burn: Sequence[str]) -> str | None:
    """Why these cards may not be burned from this hand, None if they may (X12, Claims 3)."""
    if not burn:
        return "nothing is burned"
    if len(set(burn)) != len(burn):
        return "a card is burned twice"
    for card in burn:
        if card not in hand:
            return f"{card} is burned, but not held"
    if len({card[0] for card in burn}) > 1:
        return "cards of different ranks are burned"
    return None
