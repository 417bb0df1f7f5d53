"""A round of Claims or Claim! from its deal to its end, one turn at a time."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from scorer_cards import CARDS, burn_fault, canonical, value
from scorer_chance import Chance
from scorer_lines import Refused
from scorer_options import BurnRules

End = Literal["claim", "deck", "max_laps", "stall_laps"]


@dataclass(slots=True)
class Round:
    """The table during a round; every turn either changes it or raises Refused.

    `deck` lists its top first and `pile` its top last. `takeable` is the card that the next
    seat may take from the pile. `end` is set by the turn that ends the round.
    """

    rules: BurnRules
    chance: Chance
    number: int
    zero: str
    hands: list[list[str]]
    deck: deque[str]
    pile: list[str] = field(default_factory=list)
    takeable: str | None = None
    burns: int = 0
    since_deck: int = 0
    run_outs: int = 0
    reshuffles: int = 0
    end: End | None = None
    claimer: int | None = None

    @classmethod
    def dealt(cls, rules: BurnRules, chance: Chance, number: int, seats: int) -> Round:
        """The round as X6 deals it: card by card clockwise from the starter, then the zero."""
        cards = deque(chance.deal(CARDS, number))
        hands: list[list[str]] = [[] for _ in range(seats)]
        starter = (number - 1) % seats
        for i in range(seats * rules.hand_size):
            hands[(starter + i) % seats].append(cards.popleft())
        return cls(rules, chance, number, cards.popleft(), hands, cards)

    @property
    def starter(self) -> int:
        """The seat that plays the first turn (X2)."""
        return (self.number - 1) % len(self.hands)

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return (self.starter + self.burns) % len(self.hands)

    @property
    def turn(self) -> int:
        """The number of the turn to be played, from 1."""
        return self.burns + 1

    @property
    def reshuffle_due(self) -> bool:
        """Whether the deck must be made anew before anything else happens (X10)."""
        return not self.deck and self.end is None

    def values(self) -> list[int]:
        """What each hand is worth."""
        return [value(hand, self.zero) for hand in self.hands]

    def claim_fault(self) -> str | None:
        """Why the seat may not claim now, None if it may."""
        own_turns = self.burns // len(self.hands)
        return self.rules.claim_fault(own_turns, value(self.hands[self.seat], self.zero))

    def default(self) -> str:
        """The card that the default move burns in this turn; it draws from the deck (X5, X6)."""
        return self.chance.default(canonical(self.hands[self.seat]), self.number, self.turn)

    def claim(self) -> None:
        """The seat claims, which ends the round before any cap is looked at (X10)."""
        fault = self.claim_fault()
        if fault:
            raise Refused(f"seat {self.seat} may not claim: {fault}")
        self.claimer = self.seat
        self.end = "claim"

    def burn(self, cards: list[str], source: str) -> str:
        """The seat burns these cards and draws one, which is returned."""
        hand = self.hands[self.seat]
        fault = burn_fault(hand, cards)
        if fault:
            raise Refused(f"seat {self.seat} may not burn {' '.join(cards)}: {fault}")
        drawn = self._draw(source)
        for card in cards:
            hand.remove(card)
        hand.append(drawn)
        self.pile += cards
        self.takeable = cards[-1]
        self.burns += 1
        self._end_turn()
        return drawn

    def reshuffle(self) -> list[str]:
        """Make the new deck, top first, out of the pile (Claims 8, Claim! 3)."""
        cards, kept = self.rules.reshuffled(self.pile)
        self.reshuffles += 1
        self.deck.extend(self.chance.reshuffle(canonical(cards), self.number, self.reshuffles))
        self.pile = list(kept)
        self.takeable = self.pile[-1] if self.pile else None
        return list(self.deck)

    def points(self) -> list[int]:
        """What each seat adds for the round that has ended."""
        if self.claimer is None:
            return self.rules.end_points(self.values())
        return self.rules.claim_points(self.claimer, self.values())

    def _draw(self, source: str) -> str:
        if source == "deck":
            self.since_deck = 0
            drawn = self.deck.popleft()
            self.run_outs += not self.deck
            return drawn
        if source != "pile":
            raise Refused(f"a card is drawn from {source!r}, which is neither deck nor pile")
        if self.takeable is None:
            raise Refused(f"seat {self.seat} may not draw from the pile: nothing may be taken")
        self.since_deck += 1
        self.pile.remove(self.takeable)
        return self.takeable

    def _end_turn(self) -> None:
        """What may end the round with this turn, in the order of X10; caps are X8's."""
        lap = len(self.hands)
        if not self.deck and self.rules.ends_at_run_out(self.run_outs):
            self.end = "deck"
        elif self.burns == lap * self.rules.option("max_laps"):
            self.end = "max_laps"
        elif self.since_deck == lap * self.rules.option("stall_laps"):
            self.end = "stall_laps"
