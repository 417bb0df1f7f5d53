"""What a match needs of a player, whoever and wherever it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from arena.match.measured import Measured
from arenabot.anygame import AnyAction, AnyEvent, AnyPrompt
from arenabot.bots import MatchInfo
from arenabot.events import Result


class Answer(NamedTuple):
    """An action and the seconds of the seat's own time that it took."""

    action: AnyAction
    seconds: float
    measured: Measured | None = None


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """What is known of a player once it was closed."""

    #: What the bot printed, capped, as it came: escape it before showing it.
    log: str = ""
    #: Bytes at the peak, where it could be measured.
    peak_memory: int | None = None
    #: CPU seconds outside of its own time, where they were measured.
    pondered: float | None = None
    #: Whether it was held still between its turns for that.
    held: bool = False


class Player(Protocol):
    """One seat's player in one match.

    Every method raises ``PlayerGone`` once the player will never answer again, and
    ``MatchVoid`` where the failure is ours.  ``news`` is what happened since the last call, in
    order and complete: the player hides what its seat must not see.
    """

    async def start(self, match_id: str, info: MatchInfo, seconds: float) -> None:
        """Get the bot ready for this match within ``seconds``."""

    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        """Ask for an action; raises ``PlayerFault`` if none comes within ``seconds``."""

    async def ready(self, news: Sequence[AnyEvent], seconds: float) -> float:
        """Ask whether the next round may start; return the seconds it took, at most ``seconds``."""

    async def end(self, news: Sequence[AnyEvent], result: Result) -> None:
        """Tell how the match came out; waits for nothing."""

    async def close(self) -> PlayerReport:
        """Let go of everything, at once and whatever state it is in; may be called twice."""
