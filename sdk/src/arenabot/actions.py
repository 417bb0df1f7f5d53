"""What a seat can decide in Claims and Claim!: burn a set of one rank and draw, or claim.

Claim! says "discard" where Claims says "burn"; the decision is the same one, so it is one type.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, TypeAlias

from arenabot.cards import DECK, RANKS, SUITS, Card, cards


class Draw(enum.Enum):
    """Where the one card drawn in a turn comes from."""

    #: Blind, from the top of the deck.
    DECK = "deck"
    #: The top card of what the previous player burned in the turn just before.
    PILE = "pile"

    @classmethod
    def _missing_(cls, value: object) -> Draw:
        raise ValueError(f"no such source to draw from: {value!r}; there are: deck, pile")


@dataclass(frozen=True, slots=True)
class Burn:
    """Put ``cards`` on the pile, the last one on top, and draw one card from ``draw``.

    Any cards can be named here; whether they make a legal set is for the rules to say:
    ``mask`` is 0 where no hand could ever burn them (none, mixed ranks, one named twice).
    Raises ``TypeError`` for what is no card or no source; ``burn`` takes their text forms.
    """

    cards: tuple[Card, ...]
    draw: Draw = Draw.DECK
    #: The cards' bits, or 0 where this is no set of one rank.
    mask: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Work the mask out once, since a set's form does not depend on the position."""
        if type(self.draw) is not Draw:
            raise TypeError(f"draw is {self.draw!r}, but must be Draw.DECK or Draw.PILE")
        if type(self.cards) is not tuple:
            object.__setattr__(self, "cards", tuple(self.cards))
        mask = 0
        for card in self.cards:
            if type(card) is not Card:
                raise TypeError(f'Burn takes cards, not {card!r}; burn("Ks Kh") takes text')
            mask |= card.bit
        one_rank = len({card.rank for card in self.cards}) == 1
        named_once = mask.bit_count() == len(self.cards)
        object.__setattr__(self, "mask", mask if one_rank and named_once else 0)

    def __str__(self) -> str:
        return (
            f"burn {' '.join(map(str, self.cards)) or 'nothing'}, draw from the {self.draw.value}"
        )


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim instead of playing: the round ends and all hands are compared."""

    def __str__(self) -> str:
        return "claim"


Action: TypeAlias = Burn | Claim
#: The one claim there is.
CLAIM: Final = Claim()


def burn(named: str | Card | Iterable[Card], draw: Draw | str = Draw.DECK) -> Burn:
    """Write a burn briefly: ``burn("Ks Kh", "pile")``, ``burn(card)`` or ``burn([card, other])``.

    Raises ``ValueError`` for a text that names no card or no source.
    """
    if isinstance(named, str):
        named = cards(named)
    elif isinstance(named, Card):
        named = (named,)
    return Burn(tuple(named), Draw(draw))


def _sets(rank: int, suits: int) -> Iterator[tuple[Card, ...]]:
    """Each non-empty set of the cards of ``rank`` in ``suits`` (a mask), in card order."""
    held = [DECK[suit * len(RANKS) + rank] for suit in range(len(SUITS)) if suits >> suit & 1]
    for size in range(1, len(held) + 1):
        yield from combinations(held, size)


def _burns_of(sources: tuple[Draw, ...]) -> dict[int, tuple[Burn, ...]]:
    """Map each set of one rank, as its mask, to the burns that can be made of it."""
    return {
        suits << 4 * rank: tuple(
            Burn(chosen, draw) for chosen in _sets(rank, suits) for draw in sources
        )
        for rank in range(len(RANKS))
        for suits in range(1, 16)
    }


# There are only 13 * 15 sets and two sources, so each burn exists once and the list of a hand's
# burns is put together from ready pieces: this is most of the engine's speed.
_FROM_DECK: Final = _burns_of((Draw.DECK,))
_FROM_EITHER: Final = _burns_of((Draw.DECK, Draw.PILE))
_RANK_MASKS: Final = tuple(0b1111 << 4 * rank for rank in range(len(RANKS)))


def burns(hand: int, *, from_pile: bool) -> list[Action]:
    """List every burn that a hand (the union of its cards' bits) can make, each once.

    The order is fixed: by rank from the ace, then by size and card order within a set's rank,
    the deck before the pile (RULINGS X12).
    """
    table = _FROM_EITHER if from_pile else _FROM_DECK
    actions: list[Action] = []
    for rank in _RANK_MASKS:
        held = hand & rank
        if held:
            actions += table[held]
    return actions
