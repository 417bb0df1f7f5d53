"""What happens at a table: the records that the engine writes and that a seat gets to see.

One class serves both.  The engine's own records are complete; ``seen_by(seat)`` gives the same
record with ``None`` wherever that seat must not look (RULINGS X7).
"""

from __future__ import annotations

import enum
from typing import NamedTuple, TypeAlias

from arenabot.actions import Action, Burn, Draw
from arenabot.cards import Card

Hand: TypeAlias = tuple[Card, ...]


class RoundReason(enum.Enum):
    """Why a round ended."""

    #: Somebody claimed.
    CLAIM = "claim"
    #: The deck ran out for the fourth time (Claims 8).
    DECK = "deck"
    #: ``max_laps`` were played (RULINGS X8).
    MAX_LAPS = "max_laps"
    #: ``stall_laps`` passed in a row without a draw from the deck (RULINGS X8).
    STALL_LAPS = "stall_laps"


class MatchReason(enum.Enum):
    """Why a match ended."""

    #: A total passed (Claim!: reached) the target.
    TARGET = "target"
    #: ``max_rounds`` were played (RULINGS X8).
    MAX_ROUNDS = "max_rounds"
    #: A seat won its third star (Claro 7).
    STARS = "stars"


class RoundStarted(NamedTuple):
    """A round was dealt."""

    #: The round's number, from 1.
    round: int
    #: The seat that plays first.
    starter: int
    #: The card turned face up, out of play: cards of its rank cost nothing.
    zero: Card
    #: Each seat's cards in the order dealt; ``None`` for a hand that is not one's own.
    hands: tuple[Hand | None, ...]
    #: The deck, its top first; ``None`` for a seat.
    deck: Hand | None
    #: How many cards the deck holds.
    deck_size: int

    def seen_by(self, seat: int) -> RoundStarted:
        """Keep one's own hand only."""
        hands = tuple(hand if at == seat else None for at, hand in enumerate(self.hands))
        return self._replace(hands=hands, deck=None)


class Turn(NamedTuple):
    """A seat burned and drew, or claimed."""

    seat: int
    action: Action
    #: The card drawn: ``None`` after a claim, and for a card that another seat drew blind.
    drawn: Card | None
    #: Whether the default move stood in for the seat's own decision (RULINGS X5).
    default: bool

    def seen_by(self, seat: int) -> Turn:
        """Hide a card that another seat drew blind; one taken from the pile is public."""
        if seat == self.seat or not isinstance(self.action, Burn):
            return self
        return self if self.action.draw is Draw.PILE else self._replace(drawn=None)


class Reshuffle(NamedTuple):
    """The pile became the new deck."""

    #: Counted through the round, from 1.
    number: int
    #: The new deck, its top first; ``None`` for a seat.
    deck: Hand | None
    #: How many cards it holds.
    deck_size: int

    def seen_by(self, seat: int) -> Reshuffle:  # noqa: ARG002 - one shape for all events
        """Hide the order of the new deck."""
        return self._replace(deck=None)


class RoundEnded(NamedTuple):
    """A round was scored; everybody's hand lies open."""

    round: int
    reason: RoundReason
    #: The seat that claimed and whether the claim held; ``None`` and ``False`` without a claim.
    claimer: int | None
    success: bool
    hands: tuple[Hand, ...]
    #: What each seat added, and everyone's total after it.
    points: tuple[int, ...]
    totals: tuple[int, ...]

    def seen_by(self, seat: int) -> RoundEnded:  # noqa: ARG002 - one shape for all events
        """Nothing to hide."""
        return self


Event: TypeAlias = RoundStarted | Turn | Reshuffle | RoundEnded


class Result(NamedTuple):
    """How a match came out."""

    reason: MatchReason
    totals: tuple[int, ...]
    #: Each seat's rank from 1; equal seats share one and the next rank skips (RULINGS X11).
    ranks: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of rank 1."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)
