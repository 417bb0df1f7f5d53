"""What is left of a match once it was played."""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.match.faults import Fault
from arenabot.events import Result


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """How one seat fared."""

    faults: tuple[Fault, ...]
    #: Why and since when the seat played default moves; ``None`` if it played to the end.
    out: Fault | None
    #: The seat's own time, in seconds, and the longest single turn.
    seconds: float
    slowest: float
    #: How much better its cards were than chance owes it (``arena.games.luck``).
    luck: float
    #: Bytes at the peak, where it could be measured.
    peak_memory: int | None
    #: What the bot printed, capped, unescaped.
    log: str = field(repr=False)
    #: CPU seconds outside of its own time, where they were measured.
    pondered: float | None = None
    #: Whether it was held still between its turns for that.
    held: bool = False


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that stands."""

    match_id: str
    result: Result
    rounds: int
    turns: int
    seats: tuple[SeatRecord, ...]
    #: The replay as lines of JSON, compressed with zstd.
    replay: bytes = field(repr=False)
    #: The replay's digest: equal for equal play, whatever was measured.
    digest: str
    #: Wall time of the match in seconds.
    seconds: float
