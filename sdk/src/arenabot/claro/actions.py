"""What a seat can decide in Claro: a card to play, or the cards to discard between rounds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

from arenabot.claro.cards import CLARO_CARDS, ClaroCard, bits_of, cards_of


@dataclass(frozen=True, slots=True)
class Play:
    """Put ``card`` on top of the cards played in this round.  ``TypeError`` for no card."""

    card: ClaroCard

    def __post_init__(self) -> None:
        """Refuse what is no card, where the bot's author can see it."""
        if type(self.card) is not ClaroCard:
            raise TypeError(f"Play takes a card of Claro, not {self.card!r}")

    def __str__(self) -> str:
        return f"play {self.card}"


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard these cards, none included, before the hand is refilled to five."""

    cards: tuple[ClaroCard, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what is no card, where the bot's author can see it."""
        for card in self.cards:
            if type(card) is not ClaroCard:
                raise TypeError(f"Discard takes cards of Claro, not {card!r}")

    @property
    def mask(self) -> int:
        """The cards' bits, or -1 where one is named twice."""
        mask = bits_of(self.cards)
        return mask if mask.bit_count() == len(self.cards) else -1

    def __str__(self) -> str:
        return f"discard {' '.join(map(str, self.cards)) or 'nothing'}"


ClaroAction: TypeAlias = Play | Discard

# Each play exists once, so that listing them makes no objects.
_PLAYS: Final = tuple(Play(card) for card in CLARO_CARDS)


def plays(fitting: int) -> list[ClaroAction]:
    """The plays of the cards whose bits make up ``fitting``, in card order."""
    return [_PLAYS[card] for card in cards_of(fitting)]


def discards(hand: int) -> list[ClaroAction]:
    """Every set of the hand's cards, by size and card order, the empty one first."""
    held = cards_of(hand)
    return [Discard(chosen) for size in range(len(held) + 1) for chosen in combinations(held, size)]
