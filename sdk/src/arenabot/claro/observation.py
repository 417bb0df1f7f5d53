"""What a seat knows in Claro when it must decide, and how the news adds up to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from arenabot.claro.actions import ClaroAction, discards, plays
from arenabot.claro.cards import CLARO_CARDS, ClaroCard, bits_of, cards_of
from arenabot.claro.events import (
    ClaroEvent,
    ClaroHand,
    ClaroReshuffle,
    ClaroRoundEnded,
    ClaroRoundStarted,
    Discarded,
    Passed,
    Played,
    Refilled,
)
from arenabot.claro.options import ClaroOptions


class ClaroPrompt(NamedTuple):
    """What a seat is asked for."""

    #: Cards to discard between rounds, rather than a card to play.
    discarding: bool


@dataclass(frozen=True, slots=True)
class ClaroObservation:
    """All that a seat may know when it decides: what a person at the table would have seen."""

    options: ClaroOptions
    #: One's own seat, and the number of seats.
    seat: int
    seats: int
    #: The round's number and this turn's number in it, both from 1; passes count as turns.
    #: The choice of discards is no turn: its number is 0.
    round: int
    turn: int
    #: The seat that led in this round.
    starter: int
    #: Whether this is the choice of discards after the round, rather than a turn in it.
    discarding: bool
    #: One's own cards in card order.
    hand: ClaroHand
    #: The cards played in this round, the top last.
    played: ClaroHand
    #: The discard pile: the cards of earlier rounds, all of them public.
    discard_pile: ClaroHand
    draw_size: int
    #: By seat, as are the others.
    hand_sizes: tuple[int, ...]
    passed: tuple[bool, ...]
    stars: tuple[int, ...]
    #: This round's events so far, as this seat saw them.
    history: tuple[ClaroEvent, ...]

    @property
    def top(self) -> ClaroCard | None:
        """The card on which the next one must fit; ``None`` when leading."""
        return self.played[-1] if self.played else None

    def legal_actions(self) -> list[ClaroAction]:
        """Every legal action, each once, in card order; no discard at all comes first."""
        hand = bits_of(self.hand)
        if self.discarding:
            return discards(hand)
        return plays(self._fitting(hand))

    def fitting(self) -> ClaroHand:
        """One's own cards that may be played now."""
        return cards_of(self._fitting(bits_of(self.hand)))

    def _fitting(self, hand: int) -> int:
        return hand if self.top is None else hand & self.options.deck.fitting[self.top]

    def unseen(self) -> ClaroHand:
        """The cards whose place is unknown: in the draw pile or another hand; card order."""
        seen = bits_of(self.hand) | bits_of(self.played) | bits_of(self.discard_pile)
        return tuple(card for card in CLARO_CARDS if not card.bit & seen)


class ClaroView:
    """One seat's memory of a match of Claro; see ``arenabot.observation.View``."""

    def __init__(self, options: ClaroOptions, seat: int, seats: int) -> None:
        """Start with nothing dealt."""
        self.options = options
        self.seat = seat
        self.seats = seats
        self._round = self._starter = self._draw_size = 0
        self._turns = 0
        self._hand: set[ClaroCard] = set()
        self._hand_sizes = [0] * seats
        self._passed = [False] * seats
        self._stars = (0,) * seats
        self._played: list[ClaroCard] = []
        self._discard_pile: list[ClaroCard] = []
        self._history: list[ClaroEvent] = []

    def see(self, event: ClaroEvent) -> None:
        """Fold one event in; ``ValueError`` where it cannot follow what was seen before."""
        if isinstance(event, ClaroRoundStarted):
            self._see_start(event)
        self._history.append(event)
        if isinstance(event, Played):
            self._turns = event.turn
            self._played.append(event.card)
            self._lose(event.seat, (event.card,))
        elif isinstance(event, Passed):
            self._turns = event.turn
            self._passed[event.seat] = True
        elif isinstance(event, ClaroRoundEnded):
            self._stars = event.stars
            self._discard_pile += self._played
            self._played = []
        elif isinstance(event, Discarded):
            self._discard_pile += event.cards
            self._lose(event.seat, event.cards)
        elif isinstance(event, Refilled):
            self._see_refill(event)
        elif isinstance(event, ClaroReshuffle):
            self._see_reshuffle(event)

    def _see_start(self, event: ClaroRoundStarted) -> None:
        hand = event.hands[self.seat]
        if hand is None:
            raise ValueError(f"round {event.round} began without this seat's own cards")
        self._round, self._starter = event.round, event.starter
        self._hand = set(hand)
        self._hand_sizes = list(event.hand_sizes)
        self._draw_size = event.draw_size
        self._passed = [False] * self.seats
        self._turns = 0
        self._history = []

    def _see_refill(self, event: Refilled) -> None:
        self._hand_sizes[event.seat] += event.drawn
        self._draw_size -= event.drawn
        if event.seat == self.seat:
            if event.cards is None:
                raise ValueError("this seat refilled its hand without seeing its cards")
            self._hand.update(event.cards)

    def _see_reshuffle(self, event: ClaroReshuffle) -> None:
        # It comes in the middle of a refill, whose event follows and counts all of its cards.
        self._draw_size += event.draw_size
        self._discard_pile = []

    def _lose(self, seat: int, cards: ClaroHand) -> None:
        self._hand_sizes[seat] -= len(cards)
        if seat == self.seat:
            if not self._hand.issuperset(cards):
                raise ValueError(f"seat {seat} cannot have parted with {cards}")
            self._hand.difference_update(cards)

    def observation(self, prompt: ClaroPrompt) -> ClaroObservation:
        """Say what this seat knows now that it is asked."""
        return ClaroObservation(
            options=self.options,
            seat=self.seat,
            seats=self.seats,
            round=self._round,
            turn=0 if prompt.discarding else self._turns + 1,
            starter=self._starter,
            discarding=prompt.discarding,
            hand=tuple(sorted(self._hand)),
            played=tuple(self._played),
            discard_pile=tuple(self._discard_pile),
            draw_size=self._draw_size,
            hand_sizes=tuple(self._hand_sizes),
            passed=tuple(self._passed),
            stars=self._stars,
            history=tuple(self._history),
        )
