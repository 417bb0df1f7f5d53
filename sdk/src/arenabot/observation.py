"""What a seat knows when it must decide, and how the news it hears adds up to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from arenabot.actions import CLAIM, Action, Burn, Draw, burns
from arenabot.cards import DECK, Card, points
from arenabot.events import Event, Hand, Reshuffle, RoundEnded, RoundStarted, Turn
from arenabot.options import ClaimOptions, ClaimsOptions, Options

OptionsT = TypeVar("OptionsT", bound=Options)


class Prompt(NamedTuple):
    """What a seat may do this turn beyond burning and drawing from the deck."""

    #: The pile card that may be drawn, if one may.
    takeable: Card | None
    #: Whether a claim is legal now.
    can_claim: bool


@dataclass(frozen=True, slots=True)
class Observation(Generic[OptionsT]):
    """All that a seat may know at its turn: what a person at the table would have seen.

    ``history`` holds this round's turns and reshuffles so far, as this seat saw them.
    """

    options: OptionsT
    #: One's own seat, and the number of seats.
    seat: int
    seats: int
    #: The round's number and this turn's number in it, both from 1.
    round: int
    turn: int
    #: The seat that played first in this round.
    starter: int
    #: The card turned face up: cards of its rank cost nothing.
    zero: Card
    #: One's own cards in card order.
    hand: Hand
    #: The pile card that may be drawn this turn, if one may.
    takeable: Card | None
    #: Whether a claim is legal now.
    can_claim: bool
    deck_size: int
    #: By seat, as are the totals.
    hand_sizes: tuple[int, ...]
    totals: tuple[int, ...]
    #: Reshuffles so far in this round.
    reshuffles: int
    history: tuple[Turn | Reshuffle, ...]

    def legal_actions(self) -> list[Action]:
        """Every legal action, each set once, in a fixed order, a claim last (RULINGS X12).

        Cards of a set may be burned in another order too: the last one named lies on top.
        """
        actions = burns(sum(card.bit for card in self.hand), from_pile=self.takeable is not None)
        if self.can_claim:
            actions.append(CLAIM)
        return actions

    @property
    def hand_points(self) -> int:
        """What one's own hand costs now."""
        return points(self.hand, self.zero)

    def points_of(self, card: Card) -> int:
        """What ``card`` costs in this round."""
        return points((card,), self.zero)

    def known_hands(self) -> tuple[frozenset[Card], ...]:
        """By seat, the cards that are certainly in its hand: one's own, and pile cards taken.

        A card that another seat took from the pile stays known until that seat burns it.
        """
        known: list[set[Card]] = [set() for _ in range(self.seats)]
        for turn in self.history:
            if isinstance(turn, Turn) and isinstance(turn.action, Burn):
                known[turn.seat].difference_update(turn.action.cards)
                if turn.action.draw is Draw.PILE and turn.drawn is not None:
                    known[turn.seat].add(turn.drawn)
        known[self.seat] = set(self.hand)
        return tuple(map(frozenset, known))

    def pile(self) -> Hand:
        """The pile as it lies now, its top last."""
        pile: list[Card] = []
        for event in self.history:
            if isinstance(event, Reshuffle):
                pile = _left_after(event, pile)
            elif isinstance(event.action, Burn):
                if event.action.draw is Draw.PILE:
                    pile.pop()
                pile.extend(event.action.cards)
        return tuple(pile)

    def unseen(self) -> Hand:
        """The cards whose place is unknown: in the deck, or blind in another hand; card order."""
        seen = {self.zero, *self.pile()}
        for hand in self.known_hands():
            seen |= hand
        return tuple(card for card in DECK if card not in seen)


def _left_after(reshuffle: Reshuffle, pile: list[Card]) -> list[Card]:
    """Leave on the pile what did not go into the new deck: its top card, or nothing (Claim!)."""
    left = len(pile) - reshuffle.deck_size
    return pile[-left:] if left else []


ClaimsObservation: TypeAlias = Observation[ClaimsOptions]
ClaimObservation: TypeAlias = Observation[ClaimOptions]


class View(Generic[OptionsT]):
    """One seat's memory of a match: give it the news in order, ask it for the observation.

    A turn's message carries only what is new, so whoever plays a seat keeps one of these.
    """

    def __init__(self, options: OptionsT, seat: int, seats: int) -> None:
        """Start with nothing dealt."""
        self.options = options
        self.seat = seat
        self.seats = seats
        self._totals = (0,) * seats
        self._history: list[Turn | Reshuffle] = []
        self._round = self._turns = self._starter = self._deck_size = self._reshuffles = 0
        self._zero = DECK[0]
        self._hand: set[Card] = set()
        self._hand_sizes = [0] * seats

    def see(self, event: Event) -> None:
        """Fold one event in; ``ValueError`` where it cannot follow what was seen before."""
        if isinstance(event, Turn):
            self._see_turn(event)
        elif isinstance(event, Reshuffle):
            self._reshuffles = event.number
            self._deck_size = event.deck_size
            self._history.append(event)
        elif isinstance(event, RoundStarted):
            self._see_deal(event)
        elif isinstance(event, RoundEnded):
            self._totals = event.totals

    def _see_deal(self, event: RoundStarted) -> None:
        hand = event.hands[self.seat]
        if hand is None:
            raise ValueError(f"round {event.round} was dealt without this seat's own cards")
        self._round, self._starter, self._zero = event.round, event.starter, event.zero
        self._hand = set(hand)
        # A seat is dealt as many cards as every other.
        self._hand_sizes = [len(hand)] * self.seats
        self._deck_size = event.deck_size
        self._turns = self._reshuffles = 0
        self._history.clear()

    def _see_turn(self, event: Turn) -> None:
        self._turns += 1
        self._history.append(event)
        action = event.action
        if not isinstance(action, Burn):
            return
        self._hand_sizes[event.seat] += 1 - len(action.cards)
        if action.draw is Draw.DECK:
            self._deck_size -= 1
        if event.seat == self.seat:
            if event.drawn is None or not self._hand.issuperset(action.cards):
                raise ValueError(f"seat {self.seat} cannot have played: {action}")
            self._hand.difference_update(action.cards)
            self._hand.add(event.drawn)

    def observation(self, prompt: Prompt) -> Observation[OptionsT]:
        """Say what this seat knows now that it is asked."""
        return Observation(
            options=self.options,
            seat=self.seat,
            seats=self.seats,
            round=self._round,
            turn=self._turns + 1,
            starter=self._starter,
            zero=self._zero,
            hand=tuple(sorted(self._hand)),
            takeable=prompt.takeable,
            can_claim=prompt.can_claim,
            deck_size=self._deck_size,
            hand_sizes=tuple(self._hand_sizes),
            totals=self._totals,
            reshuffles=self._reshuffles,
            history=tuple(self._history),
        )
