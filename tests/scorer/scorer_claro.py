"""The rules of Claro: `claro.txt`, RULINGS Claro 1 to 7."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from scorer_chance import Chance
from scorer_lines import Line, Refused, integer, items, strings, text

STANDARD_DECK = Path(__file__).with_name("claro-deck.json")
HAND_SIZE = 5
STARS_TO_WIN = 3
# Canonical order (X6): 1 to 50, then the jokers.
CARDS = (*map(str, range(1, 51)), *(f"J{i}" for i in range(1, 6)))
_PLACE = {card: place for place, card in enumerate(CARDS)}

End = Literal["passed", "played_out"]


@dataclass(frozen=True, slots=True)
class Deck:
    """Which colours of stars each card shows."""

    stars: Mapping[str, frozenset[str]]

    def fits(self, card: str, top: str) -> bool:
        """Whether the card may be laid on the top card (3)."""
        higher = _number(card) > _number(top) > 0
        return higher or not self.stars[card].isdisjoint(self.stars[top])


def _number(card: str) -> int:
    """A card's number, 0 for a joker, which has none."""
    return 0 if card[0] == "J" else int(card)


def read_deck(option: object) -> Deck:
    """The deck of the header's option `deck`: absent or null for the standard one, a path to
    another, or another's contents. Raises Refused unless it is as ruling 1 wants it.
    """
    if option is None:
        option = str(STANDARD_DECK)
    if isinstance(option, str):
        try:
            option = json.loads(Path(option).read_bytes())
        except (OSError, ValueError) as error:
            raise Refused(f"the deck {option} can't be read: {error}") from error
    if not isinstance(option, Mapping):
        raise Refused("the deck is not an object")
    return check_deck(option)


def check_deck(deck: Line) -> Deck:
    """The deck that a deck file describes; raises Refused unless it is as ruling 1 wants it."""
    colours = strings(deck, "star_colours")
    cards = [card for card in items(deck, "cards") if isinstance(card, Mapping)]
    jokers = iter(CARDS[50:])
    stars: dict[str, frozenset[str]] = {}
    for card in cards:
        shown = strings(card, "stars")
        if len(set(shown)) != len(shown) or not set(shown) <= set(colours):
            raise Refused(f"card {text(card, 'id')} shows a star twice or in an unknown colour")
        if card.get("number") is not None:
            stars[str(integer(card, "number"))] = frozenset(shown)
        elif set(shown) == set(colours):
            stars[next(jokers, "a sixth joker")] = frozenset(shown)
        else:
            raise Refused(f"the joker {text(card, 'id')} does not show every colour")
    if len(set(colours)) != 3 or len(colours) != 3:
        raise Refused("the deck has not three colours")
    if len({text(card, "id") for card in cards}) != 55 or len(cards) != 55:
        raise Refused("the deck has not 55 cards with an id of their own")
    if stars.keys() != set(CARDS):
        raise Refused("the deck has not the numbers 1 to 50 and five jokers")
    return Deck(stars)


def canonical(cards: Iterable[str]) -> list[str]:
    """The cards in canonical order (X6)."""
    return sorted(cards, key=_PLACE.__getitem__)


@dataclass(slots=True)
class Refill:
    """The cards that a seat drew, and the new draw pile if it had to be made."""

    seat: int
    cards: list[str] = field(default_factory=list)
    new_pile: list[str] | None = None


@dataclass(slots=True)
class Table:
    """What goes on from round to round: hands, draw pile (top first), discard pile, stars."""

    deck: Deck
    chance: Chance
    hands: list[list[str]]
    draw: deque[str]
    discard: list[str] = field(default_factory=list)
    stars: list[int] = field(default_factory=list)
    reshuffles: int = 0

    @classmethod
    def dealt(cls, deck: Deck, chance: Chance, seats: int) -> Table:
        """The match as X6 deals it, once, with round 0's stream: clockwise from seat 0."""
        cards = deque(chance.deal(CARDS, 0))
        hands: list[list[str]] = [[] for _ in range(seats)]
        for i in range(seats * HAND_SIZE):
            hands[i % seats].append(cards.popleft())
        return cls(deck, chance, hands, cards, stars=[0] * seats)

    def throw(self, seat: int, cards: list[str]) -> None:
        """Take discards out of a hand; raises Refused unless each is held, and named once (6).

        They join the discard pile when all have chosen.
        """
        if len(set(cards)) != len(cards) or not set(cards) <= set(self.hands[seat]):
            raise Refused(f"seat {seat} discards {' '.join(cards)}, not all held or one twice")
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]

    def refill(self, seat: int) -> Refill:
        """Refill a hand to five (6).

        It can take one reshuffle at most: of 55 cards no more than 30 are in hands.
        """
        refill = Refill(seat)
        while len(self.hands[seat]) < HAND_SIZE:
            if not self.draw:
                refill.new_pile = self._reshuffle()
            card = self.draw.popleft()
            refill.cards.append(card)
            self.hands[seat].append(card)
        return refill

    def _reshuffle(self) -> list[str]:
        self.reshuffles += 1
        pile = self.chance.reshuffle(canonical(self.discard), 0, self.reshuffles)
        self.discard.clear()
        self.draw.extend(pile)
        return pile


@dataclass(slots=True)
class Round:
    """A round from its lead to its end; plays and passes change it or raise Refused.

    `seat` is whose turn it is, `winner` who played last, `end` why the round has ended.
    """

    deck: Deck
    hands: list[list[str]]
    seat: int
    played: list[str] = field(default_factory=list)
    passed: set[int] = field(default_factory=set)
    turn: int = 1
    winner: int | None = None
    end: End | None = None

    def choices(self) -> list[str]:
        """What the seat may play, in canonical order: any card to lead (2), else what fits (3)."""
        hand = canonical(self.hands[self.seat])
        if not self.played:
            return hand
        return [card for card in hand if self.deck.fits(card, self.played[-1])]

    def play(self, card: str) -> None:
        """The seat plays this card."""
        if card not in self.hands[self.seat]:
            raise Refused(f"seat {self.seat} plays {card}, which it does not hold")
        if card not in self.choices():
            raise Refused(f"seat {self.seat} plays {card}, which does not fit {self.played[-1]}")
        self.hands[self.seat].remove(card)
        self.played.append(card)
        self.winner = self.seat
        self._next()

    def skip(self) -> None:
        """The seat passes, which it must when nothing fits and may not otherwise (4)."""
        choices = self.choices()
        if choices:
            raise Refused(f"seat {self.seat} passes though {' '.join(choices)} may be played")
        self.passed.add(self.seat)
        self._next()

    def _next(self) -> None:
        """End the round (5), or go on to the next seat that has cards and hasn't passed."""
        self.turn += 1
        seats = len(self.hands)
        involved = [seat for seat in range(seats) if seat not in self.passed]
        if len(involved) == 1:
            self.end = "passed"
        elif not any(self.hands[seat] for seat in involved):
            self.end = "played_out"
        else:
            clockwise = ((self.seat + i) % seats for i in range(1, seats + 1))
            self.seat = next(s for s in clockwise if s not in self.passed and self.hands[s])
