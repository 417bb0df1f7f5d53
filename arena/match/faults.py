"""What can go wrong in a match, with the bot's wrongs kept apart from our own.

    MatchVoid                 we spoilt the match: nobody is to blame, it is played again
      MatchStalled            time ran out that was not the bot's
    PlayerFault               a seat's answer to one question failed; the match goes on
      PlayerGone              the seat will never answer again

Rules broken by an answer are ``arena.games.IllegalAction``: a different family.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from arena.match.measured import Measured


class FaultKind(enum.Enum):
    """What a seat did wrong."""

    #: No answer before the deadline.
    TIMEOUT = "TIMEOUT"
    #: An action that the rules do not allow.
    ILLEGAL = "ILLEGAL"
    #: An answer that is no action at all.
    MALFORMED = "MALFORMED"
    #: The bot was not ready for the match when the start timer ended.
    NEVER_STARTED = "NEVER_STARTED"
    #: The bot's program ended or raised an error.
    CRASHED = "CRASHED"
    #: The bot used more memory than it may and was stopped.
    OUT_OF_MEMORY = "OUT_OF_MEMORY"
    #: The bot broke the protocol: it closed the stream, flooded it, or talked garbage.
    PROTOCOL = "PROTOCOL"
    #: The seat's time for the whole match is used up.
    BUDGET = "BUDGET"
    #: More faults in one match than ``max_faults``.
    TOO_MANY_FAULTS = "TOO_MANY_FAULTS"
    #: A person who had the seat went away and said so.
    LEFT = "LEFT"


@dataclass(frozen=True, slots=True)
class Fault:
    """One wrong of one seat.  Round and turn are 0 for what happened before the first deal."""

    round: int
    turn: int
    kind: FaultKind
    #: One plain sentence for the bot's author, with numbers where there are any.
    detail: str


class PlayerFault(Exception):
    """A seat failed to answer one question; it will be asked again."""

    def __init__(
        self,
        kind: FaultKind,
        detail: str,
        seconds: float = 0.0,
        measured: Measured | None = None,
    ) -> None:
        """Say what happened and how many seconds of the seat's own time it took."""
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.seconds = seconds
        self.measured = measured


class PlayerGone(PlayerFault):
    """A seat that will not answer again: crashed, disconnected, never started."""


class MatchVoid(Exception):
    """We spoilt the match: the engine died, the host stalled, a worker was killed."""


class MatchStalled(MatchVoid):
    """Time ran out that cannot be laid at the bot's door: this machine stood still, say."""
