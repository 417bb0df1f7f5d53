"""Base classes for bots: fill in ``turn``, leave the rest as it is or add to it."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from arenabot.actions import Action
from arenabot.claro import ClaroAction, ClaroCard, ClaroObservation, ClaroRoundEnded, Discard, Play
from arenabot.events import Result, RoundEnded
from arenabot.observation import ClaimObservation, ClaimsObservation
from arenabot.options import Options


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """What a bot is told when a match starts.  Times are in seconds."""

    game: str
    options: Options
    seat: int
    seats: int
    #: A number of the seat's own, derived from the match seed: use it for every chance decision
    #: and the match can be reproduced.
    bot_seed: int
    #: What one turn may take, what "ready" between rounds may take, and what all turns and
    #: readies of this match may take together.
    turn_time: float
    ready_time: float
    budget: float


class Bot(ABC):
    """One bot in one match: a new object is made for every match."""

    #: The id of the game that it plays.
    game: ClassVar[str]

    #: Set before ``match_started`` is called.
    match: MatchInfo
    #: Chance that depends on nothing but the match: seeded with ``match.bot_seed``.
    rng: random.Random

    def begin(self, match: MatchInfo) -> None:
        """Take the match's facts in; called by whoever drives the bot, once, before all else."""
        self.match = match
        self.rng = random.Random(match.bot_seed)  # noqa: S311 - a game, not a secret
        self.match_started(match)

    def match_started(self, match: MatchInfo) -> None:
        """Prepare for a match.  Its time counts with the first turn."""

    @abstractmethod
    def turn(self, observation: Any) -> Any:
        """Decide; each game's base class says what it gets to see."""

    def round_ended(self, end: Any) -> None:
        """Look at how a round came out; each game's base class says what it gets to see."""

    def match_ended(self, result: Result) -> None:
        """Hear how the match came out.  Nobody waits for this."""


class ClaimsBot(Bot):
    """A bot for Claims."""

    game = "claims"

    @abstractmethod
    def turn(self, observation: ClaimsObservation) -> Action:
        """Decide: return one of ``observation.legal_actions()``, or build a ``Burn`` or ``CLAIM``.

        Late, illegal or raising: the default move is played instead and a fault is noted.
        """

    def round_ended(self, end: RoundEnded) -> None:
        """Look at the hands and points of a round."""


class ClaimBot(Bot):
    """A bot for Claim!."""

    game = "claim"

    @abstractmethod
    def turn(self, observation: ClaimObservation) -> Action:
        """Decide, as a ``ClaimsBot`` does: to discard, in the words of Claim!, is to burn."""

    def round_ended(self, end: RoundEnded) -> None:
        """Look at the hands and points of a round."""


class ClaroBot(Bot):
    """A bot for Claro."""

    game = "claro"

    @abstractmethod
    def play(self, observation: ClaroObservation) -> Play:
        """Put a card on top: return one of ``observation.legal_actions()``, or build a ``Play``."""

    def discard(self, observation: ClaroObservation) -> Iterable[ClaroCard]:  # noqa: ARG002
        """Choose cards to discard before the hand is refilled; none, unless you say otherwise."""
        return ()

    def turn(self, observation: ClaroObservation) -> ClaroAction:
        """Ask ``play`` or ``discard``; every answer is one decision for the arena."""
        if observation.discarding:
            return Discard(tuple(self.discard(observation)))
        return self.play(observation)

    def round_ended(self, end: ClaroRoundEnded) -> None:
        """Look at who won a round and everyone's stars."""
