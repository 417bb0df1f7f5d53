"""A hand of Claims or Claim! as one integer, the union of its cards' bits (see ``Card.bit``)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from arenabot.actions import Action, burns
from arenabot.cards import DECK, POINTS, RANKS, Card
from arenabot.events import Hand

# What each rank costs in a round, by that round's zero rank.
POINTS_BY_ZERO = tuple(
    tuple(0 if rank == zero else POINTS[rank] for rank in range(len(RANKS)))
    for zero in range(len(RANKS))
)
_CARD_OF_BIT = {card.bit: card for card in DECK}


def weighed(hand: Iterable[Card], points: tuple[int, ...]) -> tuple[int, int]:
    """The hand as an integer, and what it costs at these points by rank."""
    bits = cost = 0
    for card in hand:
        bits |= card.bit
        cost += points[card.rank]
    return bits, cost


def cards_of(hand: int) -> Hand:
    """The cards of a hand, in card order."""
    found = []
    while hand:
        bit = hand & -hand
        found.append(_CARD_OF_BIT[bit])
        hand ^= bit
    return tuple(sorted(found))


_Table: TypeAlias = tuple[tuple[tuple[Action, ...], ...], ...]


def _by_two_ranks(*, from_pile: bool) -> _Table:
    """For each two ranks, as they share a byte of a hand, the burns of all that it can hold."""
    return tuple(
        tuple(tuple(burns(held << 8 * byte, from_pile=from_pile)) for held in range(256))
        for byte in range(7)
    )


# Most of what a bot that plays ahead asks for is the burns of a hand.  Looked up for two ranks at
# once they cost a third of what they do rank by rank.
_FROM_DECK = _by_two_ranks(from_pile=False)
_FROM_EITHER = _by_two_ranks(from_pile=True)


def burns_of(hand: int, *, from_pile: bool) -> list[Action]:
    """What ``arenabot.actions.burns`` lists."""
    aces, threes, fives, sevens, nines, jacks, kings = _FROM_EITHER if from_pile else _FROM_DECK
    a, b, c, d, e, f, g = hand.to_bytes(7, "little")
    return [*aces[a], *threes[b], *fives[c], *sevens[d], *nines[e], *jacks[f], *kings[g]]
