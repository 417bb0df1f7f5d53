"""What a person may answer: the rule of it, in a form that travels and can be made into buttons.

An answer is a JSON object as a replay shows decisions: ``{"burn": ["Ks", "Kh"], "draw": "deck"}``
(the last card on top), ``{"claim": true}``, ``{"play": "44"}``, ``{"discard": ["12", "J1"]}``, or
``{"ready": true}``.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, TypeAlias

from arenabot import wire
from arenabot.actions import CLAIM, Burn, Draw
from arenabot.anygame import AnyAction, AnyObservation
from arenabot.cards import Card
from arenabot.claro import ClaroCard, ClaroObservation, Discard, Play

Said: TypeAlias = Mapping[str, Any]
"""An answer as a person's page sends it."""

_SOURCES: Final = tuple(source.value for source in Draw)

_FORMS: Final = ({"burn", "draw"}, {"claim"}, {"play"}, {"discard"}, {"ready"})
"""What an answer consists of: nothing else travels on to whoever plays the match."""


class Kind(enum.Enum):
    """What a person is asked for."""

    #: An action within a round.
    TURN = "turn"
    #: Claro: the cards to part with before the next round.
    DISCARD = "discard"
    #: Whether the next round may start.
    READY = "ready"


class NotAChoice(ValueError):
    """An answer that can't be given to this question; the text says why."""


@dataclass(frozen=True, slots=True)
class Choices:
    """All answers to one question.  What does not belong to it is empty."""

    kind: Kind
    #: Claims and Claim!: one's hand by rank.  Of one of these sets any cards can be burned
    #: together, at least one, in any order: the last one lies on top.
    burn: tuple[tuple[str, ...], ...] = ()
    #: From where a card can be drawn after that: ``deck``, ``pile``.
    draw: tuple[str, ...] = ()
    #: The card on the pile that is drawn from there.
    takeable: str | None = None
    #: Whether a claim is open.
    claim: bool = False
    #: Claro: the cards that can be played.
    play: tuple[str, ...] = ()
    #: Claro: one's hand, of which any cards can be discarded, or none.
    discard: tuple[str, ...] = ()

    @classmethod
    def of(cls, seen: AnyObservation) -> Choices:
        """What there is to choose for who sees this."""
        if isinstance(seen, ClaroObservation):
            if seen.discarding:
                return cls(Kind.DISCARD, discard=tuple(map(str, seen.hand)))
            return cls(Kind.TURN, play=tuple(map(str, seen.fitting())))
        by_rank = groupby(sorted(seen.hand, key=_rank), key=_rank)
        return cls(
            Kind.TURN,
            burn=tuple(tuple(map(str, cards)) for _, cards in by_rank),
            draw=_SOURCES if seen.takeable is not None else _SOURCES[:1],
            takeable=None if seen.takeable is None else str(seen.takeable),
            claim=seen.can_claim,
        )

    def read(self, said: Said) -> wire.Answered:
        """The action that an answer stands for, or ``wire.READY``.  Raises ``NotAChoice``."""
        match said if said.keys() in _FORMS else {}:
            case {"ready": True} if self.kind is Kind.READY:
                return wire.READY
            case {"claim": True} if self.kind is Kind.TURN and not self.play:
                return self._claim()
            case {"burn": cards, "draw": source} if self.burn:
                return self._burn(_names(cards), source)
            case {"play": str(card)} if self.play:
                return self._play(card)
            case {"discard": cards} if self.kind is Kind.DISCARD:
                return self._discard(_names(cards))
        raise NotAChoice(f"this is no answer to a {self.kind.value} here")

    def _claim(self) -> AnyAction:
        if not self.claim:
            raise NotAChoice("no claim is open now")
        return CLAIM

    def _burn(self, cards: Sequence[str], source: object) -> AnyAction:
        if not cards:
            raise NotAChoice("choose at least one card")
        _check_named(cards, [card for ranked in self.burn for card in ranked])
        if not any(set(cards) <= set(ranked) for ranked in self.burn):
            raise NotAChoice("cards of different ranks never go together")
        if source not in self.draw:
            raise NotAChoice("no card can be drawn from there now")
        return Burn(tuple(map(Card, cards)), Draw(source))

    def _play(self, card: str) -> AnyAction:
        if card not in self.play:
            raise NotAChoice("this card can't be played now")
        return Play(ClaroCard(card))

    def _discard(self, cards: Sequence[str]) -> AnyAction:
        _check_named(cards, self.discard)
        return Discard(tuple(map(ClaroCard, cards)))


def _rank(card: Card) -> int:
    return card.rank


READY: Final = Choices(Kind.READY)
"""All that can be said between two rounds."""


def _names(cards: object) -> Sequence[str]:
    if not isinstance(cards, list | tuple) or not all(isinstance(card, str) for card in cards):
        raise NotAChoice("cards are named in a list")
    return cards


def _check_named(cards: Sequence[str], hand: Sequence[str]) -> None:
    """Raises ``NotAChoice`` unless each is in the hand and named once."""
    if len(set(cards)) < len(cards):
        raise NotAChoice("a card is named twice")
    if not set(cards) <= set(hand):
        raise NotAChoice("this card is not in your hand")
