"""What goes to a worker and what comes back."""

from __future__ import annotations

import enum
import hashlib
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeAlias

from pydantic import ConfigDict

from arena.games import game
from arena.match.record import MatchRecord
from arena.match.setup import PERSON_BUDGET, MatchSetup, Provenance, SeatInfo, Timers
from arena.sandbox.api import Limits
from arena.tournament.pondering import Ponder


class Lodging(enum.Enum):
    """Where a job's bots run."""

    #: A container each (strangers' code).
    DOCKER = "docker"
    #: A process each (trusted code).
    PROCESS = "process"
    #: Inside the worker itself (trusted Python code; nothing interrupts a turn).
    NONE = "none"


class Isolation(enum.Enum):
    """How much of a bot survives a match."""

    #: Nothing: a fresh process for each match, and never two of the same deals in a container.
    MATCH = "match"
    #: Nothing, not even its container: a new one for each match.
    CONTAINER = "container"
    #: Its process: for trusted bots only, since it could remember deals.
    WARM = "warm"


@dataclass(frozen=True, slots=True)
class SeatJob:
    """Who plays a seat and how to start it."""

    bot: str
    version: str
    digest: str
    #: Docker: an image reference; else the path of the bot's folder.
    artifact: str = ""
    command: tuple[str, ...] = ()
    #: What starts the image's own first process, if it has one (``Launch.zygote``).
    zygote: tuple[str, ...] = ()
    #: What its image was made of; ``None`` without containers.
    provenance: Provenance | None = None
    #: Whether it is a person who plays, through whoever wants the match played.
    person: bool = False


PERSON: Final = SeatJob("person", "", "", person=True)
"""A person's seat: who it is, neither bots nor replays are told."""


@dataclass(frozen=True, slots=True)
class MatchJob:
    """One match to be played."""

    # For the way to the worker: a seed is not text.
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        ser_json_bytes="hex", val_json_bytes="hex"
    )

    match_id: str
    game: str
    #: The game's options by name.
    options: dict[str, Any]
    seed: bytes
    seats: tuple[SeatJob, ...]
    timers: Timers = Timers()
    #: Seconds that a person may take for the whole match.
    person_budget: float = PERSON_BUDGET
    max_faults: int = 10
    lodging: Lodging = Lodging.DOCKER
    isolation: Isolation = Isolation.MATCH
    limits: Limits = Limits()
    ponder: Ponder = Ponder.FREEZE

    @property
    def provenance(self) -> Provenance | None:
        """What the match is played on: all of its bots' images are made from one base image."""
        return next((seat.provenance for seat in self.seats if seat.provenance), None)

    @property
    def person(self) -> int | None:
        """The seat in which a person plays, if there is one: there are not several."""
        return next((at for at, seat in enumerate(self.seats) if seat.person), None)

    def setup(self) -> MatchSetup:
        """The match as the match room wants it."""
        return MatchSetup(
            match_id=self.match_id,
            game=self.game,
            options=game(self.game).options(self.options),
            seed=self.seed,
            seats=tuple(
                SeatInfo(seat.bot, seat.version, seat.digest, seat.person) for seat in self.seats
            ),
            timers=self.timers,
            person_budget=self.person_budget,
            max_faults=self.max_faults,
            isolation=self.isolation.value,
            provenance=self.provenance,
        )


@dataclass(frozen=True, slots=True)
class Played:
    """The match stands."""

    record: MatchRecord


class VoidReason(enum.Enum):
    """Why a match was spoilt."""

    #: A bot's sandbox could not be made or was lost.
    SANDBOX = "sandbox"
    #: Time ran out that cannot be laid at a bot's door: this machine stood still, say.
    STALLED = "stalled"
    #: The worker process that played it died.
    WORKER_DIED = "worker died"
    #: The worker failed in a way that nobody foresaw; the detail is for our own log.
    INTERNAL = "internal"
    #: Whoever wanted it played wants it no more.
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Voided:
    """We spoilt the match: it is to be played again."""

    match_id: str
    reason: VoidReason
    detail: str


Outcome: TypeAlias = Played | Voided


def match_seed(tournament_seed: bytes, block: int) -> bytes:
    """The seed of all matches of a block: SHA-256 of the tournament's seed and ``|block|<b>``."""
    return hashlib.sha256(tournament_seed + f"|block|{block}".encode("ascii")).digest()


def match_id(tournament_seed: bytes, block: int, rotation: int) -> str:
    """An opaque name: nobody can read block or rotation off it, and it is the same every run."""
    text = f"|match|{block}|{rotation}"
    return hashlib.sha256(tournament_seed + text.encode("ascii")).hexdigest()[:16]
