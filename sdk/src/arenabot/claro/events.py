"""What happens at a table of Claro; as in ``arenabot.events``, ``seen_by`` hides (RULINGS X7)."""

from __future__ import annotations

import enum
from typing import NamedTuple, TypeAlias

from arenabot.claro.cards import ClaroCard

ClaroHand: TypeAlias = tuple[ClaroCard, ...]


class ClaroRoundReason(enum.Enum):
    """Why a round ended (Claro 5)."""

    #: All but one have passed.
    PASSED = "passed"
    #: All who have not passed have played their last card.
    PLAYED_OUT = "played_out"


class ClaroRoundStarted(NamedTuple):
    """A round begins.  Cards are dealt once a match: later hands are what was kept and drawn."""

    round: int
    starter: int
    #: Each seat's cards; ``None`` for a hand that is not one's own.
    hands: tuple[ClaroHand | None, ...]
    #: The draw pile, its top first; ``None`` for a seat.
    draw_pile: ClaroHand | None
    hand_sizes: tuple[int, ...]
    draw_size: int

    def seen_by(self, seat: int) -> ClaroRoundStarted:
        """Keep one's own hand only."""
        hands = tuple(hand if at == seat else None for at, hand in enumerate(self.hands))
        return self._replace(hands=hands, draw_pile=None)


class Played(NamedTuple):
    """A seat put a card on top."""

    #: The number of the turn in its round, from 1; passes count.
    turn: int
    seat: int
    card: ClaroCard
    #: Whether the default move stood in for the seat's own decision (RULINGS X5).
    default: bool

    def seen_by(self, seat: int) -> Played:  # noqa: ARG002 - one shape for all events
        """Nothing to hide."""
        return self


class Passed(NamedTuple):
    """A seat had no fitting card and plays no more in this round (Claro 4)."""

    turn: int
    seat: int

    def seen_by(self, seat: int) -> Passed:  # noqa: ARG002 - one shape for all events
        """Nothing to hide."""
        return self


class ClaroRoundEnded(NamedTuple):
    """The last player who played a card has won the round."""

    round: int
    reason: ClaroRoundReason
    winner: int
    #: Everyone's stars after it.
    stars: tuple[int, ...]

    def seen_by(self, seat: int) -> ClaroRoundEnded:  # noqa: ARG002 - one shape for all events
        """Nothing to hide: hands go on into the next round and stay hidden."""
        return self


class Discarded(NamedTuple):
    """A seat's discards, shown once all have chosen (Claro 6)."""

    seat: int
    cards: ClaroHand
    default: bool

    def seen_by(self, seat: int) -> Discarded:  # noqa: ARG002 - one shape for all events
        """Nothing to hide."""
        return self


class Refilled(NamedTuple):
    """A seat drew up to five cards again."""

    seat: int
    #: The cards drawn; ``None`` for another seat's.
    cards: ClaroHand | None
    #: How many they are.
    drawn: int

    def seen_by(self, seat: int) -> Refilled:
        """Hide what another seat drew."""
        return self if seat == self.seat else self._replace(cards=None)


class ClaroReshuffle(NamedTuple):
    """The whole discard pile became the new draw pile."""

    #: Counted through the match, from 1.
    number: int
    #: The new draw pile, its top first; ``None`` for a seat.
    draw_pile: ClaroHand | None
    draw_size: int

    def seen_by(self, seat: int) -> ClaroReshuffle:  # noqa: ARG002 - one shape for all events
        """Hide the order."""
        return self._replace(draw_pile=None)


ClaroEvent: TypeAlias = (
    ClaroRoundStarted | Played | Passed | ClaroRoundEnded | Discarded | Refilled | ClaroReshuffle
)
