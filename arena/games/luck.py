"""How the cards that each seat got compare with what chance owes it: the luck of the deal.

Only chance counts, never a decision. At each deal and each blind draw a card's worth is compared
with the average of all that it could have been: every card that was not dealt yet, or that lay in
the deck. The differences add up over the match. Whatever the seats do, nobody can expect anything
but zero, since no decision knows what comes next. (It is a martingale, also if play decides how
long it goes on.) That makes it fit to correct results without favouring any way of playing.

What a card is worth is a plain count, chosen since it explains results best among those tried:
in Claims and Claim! how many burns it takes to get rid of the hand's costly cards, in Claro on how
large a part of the deck the card may be put.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import comb
from typing import Protocol

from arenabot.actions import Burn, Draw
from arenabot.anygame import AnyEvent
from arenabot.cards import DECK, RANKS, Card
from arenabot.claro import (
    CLARO_CARDS,
    ClaroCard,
    ClaroDeck,
    ClaroOptions,
    ClaroReshuffle,
    ClaroRoundStarted,
    Refilled,
)
from arenabot.events import Reshuffle, RoundStarted, Turn
from arenabot.options import Options

_SUITS = len(DECK) // len(RANKS)


class Luck(Protocol):
    """A match's luck so far: give it the events in order, nothing hidden."""

    @property
    def by_seat(self) -> tuple[float, ...]:
        """By seat, how much better than expected its cards were; nobody can expect but 0.

        Claims, Claim!: in burns saved. Claro: in decks, of which its cards fit on so much more.
        """

    def see(self, event: AnyEvent) -> None:
        """Take one more event in."""


def luck_of(options: Options, seats: int) -> Luck:
    """Begin to watch a match of the game that ``options`` belong to."""
    if isinstance(options, ClaroOptions):
        return _ClaroLuck(options.deck, seats)
    return _BurnLuck(seats)


class _BurnLuck:
    """Claims and Claim!: cards of one rank go out together, and the zero rank costs nothing.

    So a card is bad if it costs something and its rank is not in the hand yet: one more burn.
    """

    def __init__(self, seats: int) -> None:
        self._luck = [0.0] * seats
        #: By seat, the number of cards of each rank in its hand; and of those in the deck.
        self._hands: list[list[int]] = []
        self._deck: list[int] = []
        self._zero = 0

    @property
    def by_seat(self) -> tuple[float, ...]:
        return tuple(self._luck)

    def see(self, event: AnyEvent) -> None:
        if isinstance(event, Turn):
            if isinstance(event.action, Burn) and event.drawn is not None:
                self._burned(event.seat, event.action, event.drawn)
        elif isinstance(event, RoundStarted):
            self._dealt(event)
        elif isinstance(event, Reshuffle):
            self._deck = _by_rank(event.deck or ())

    def _dealt(self, event: RoundStarted) -> None:
        self._zero = event.zero.rank
        self._hands = [_by_rank(hand or ()) for hand in event.hands]
        self._deck = _by_rank(event.deck or ())
        for seat, hand in enumerate(self._hands):
            self._luck[seat] += _expected_ranks(sum(hand)) - sum(map(bool, self._costly(hand)))

    def _burned(self, seat: int, burn: Burn, drawn: Card) -> None:
        hand = self._hands[seat]
        hand[burn.cards[0].rank] -= len(burn.cards)
        if burn.draw is Draw.DECK:
            bad = sum(
                count
                for count, held in zip(self._costly(self._deck), self._costly(hand), strict=True)
                if not held
            )
            is_bad = drawn.rank != self._zero and not hand[drawn.rank]
            self._luck[seat] += bad / sum(self._deck) - is_bad
            self._deck[drawn.rank] -= 1
        hand[drawn.rank] += 1

    def _costly(self, counts: list[int]) -> list[int]:
        """The counts of all ranks but the zero rank."""
        return counts[: self._zero] + counts[self._zero + 1 :]


def _by_rank(cards: Iterable[Card]) -> list[int]:
    counts = [0] * len(RANKS)
    for card in cards:
        counts[card.rank] += 1
    return counts


def _expected_ranks(dealt: int) -> float:
    """How many costly ranks a hand of so many cards holds on average."""
    pool = len(DECK) - 1  # the zero card is out of play
    without = comb(pool - _SUITS, dealt) / comb(pool, dealt)
    return (len(RANKS) - 1) * (1 - without)


class _ClaroLuck:
    """Claro: a card is good if it may be put on many others."""

    def __init__(self, deck: ClaroDeck, seats: int) -> None:
        self._luck = [0.0] * seats
        self._worth = _worths(deck)
        #: What is drawn from, in order; behind it what a reshuffle in the middle of a refill adds.
        self._piles: list[list[ClaroCard]] = []

    @property
    def by_seat(self) -> tuple[float, ...]:
        return tuple(self._luck)

    def see(self, event: AnyEvent) -> None:
        if isinstance(event, Refilled):
            for card in event.cards or ():
                self._drawn(event.seat, card)
        elif isinstance(event, ClaroRoundStarted):
            self._piles = [list(event.draw_pile or ())]
            if event.round == 1:  # later hands are what was kept and drawn
                self._dealt(event.hands)
        elif isinstance(event, ClaroReshuffle):
            self._piles.append(list(event.draw_pile or ()))

    def _dealt(self, hands: Iterable[Iterable[ClaroCard] | None]) -> None:
        average = sum(self._worth) / len(self._worth)
        for seat, hand in enumerate(hands):
            self._luck[seat] += sum(self._worth[card] - average for card in hand or ())

    def _drawn(self, seat: int, card: ClaroCard) -> None:
        while not self._piles[0]:
            del self._piles[0]
        pile = self._piles[0]
        average = sum(self._worth[other] for other in pile) / len(pile)
        self._luck[seat] += self._worth[card] - average
        pile.remove(card)


@cache
def _worths(deck: ClaroDeck) -> tuple[float, ...]:
    """By card, on what part of the other cards it may be put."""
    others = len(CLARO_CARDS) - 1
    return tuple(
        sum(deck.fits(card, top) for top in CLARO_CARDS if top != card) / others
        for card in CLARO_CARDS
    )
