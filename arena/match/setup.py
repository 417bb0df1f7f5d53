"""What a match is before it is played."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import ClassVar, Final

from arenabot.options import Options


@dataclass(frozen=True, slots=True)
class Timers:
    """How long a seat may take, in seconds.  Raises ``ValueError`` for a time out of bounds."""

    #: The bounds of every timer, in seconds: below, the machine decides; above is more than a day.
    SHORTEST: ClassVar[float] = 0.05
    LONGEST: ClassVar[float] = 86_400

    #: One turn, as in the rules.
    turn: float = 20.0
    #: "Ready" between two rounds, as in the rules.
    ready: float = 60.0
    #: From the start of the bot's process until it can be asked.
    start: float = 10.0
    #: All turns and readies of one match together.
    budget: float = 600.0

    def __post_init__(self) -> None:
        """Check the bounds."""
        for timer in fields(self):
            value = getattr(self, timer.name)
            if not (math.isfinite(value) and self.SHORTEST <= value <= self.LONGEST):
                raise ValueError(
                    f"the {timer.name} timer is {value} s, but must be "
                    f"from {self.SHORTEST} to {self.LONGEST} s"
                )


PERSON_BUDGET: Final = 7200.0
"""Seconds that a person may take for all turns and readies of a match, if nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits on a seat, as the replay's header names it."""

    bot: str
    version: str
    digest: str
    #: Whether a person plays it: nobody whom a name, a version or a digest would tell of.
    person: bool = False


@dataclass(frozen=True, slots=True)
class Provenance:
    """What stood behind a build or a match whose bots ran in containers."""

    #: The base image's digest, as the container engine names it: ``sha256:...``.
    base_image: str
    #: The versions of arenabot, of the protocol's package and of the rules engine.
    sdk: str
    protocol: str
    engine: str


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """Everything that decides a match, apart from what the bots do."""

    match_id: str
    game: str
    options: Options
    seed: bytes
    seats: tuple[SeatInfo, ...]
    timers: Timers = Timers()
    #: Seconds that a person may take for all turns and readies, in place of the timers' budget.
    person_budget: float = PERSON_BUDGET
    #: More faults than this in one match and the seat plays default moves to the end.
    max_faults: int = 10
    #: How fresh the bots' processes are, for the replay's header: ``match`` or ``warm``.
    isolation: str = "match"
    #: For the replay's header; ``None`` without containers.
    provenance: Provenance | None = None
