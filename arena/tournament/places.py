"""Where a match is, as one seat has been told: what its bot's log and last words refer to."""

from __future__ import annotations

from collections.abc import Sequence

from arenabot.anygame import AnyEvent
from arenabot.claro import ClaroRoundEnded, ClaroRoundStarted, Passed, Played
from arenabot.events import RoundEnded, RoundStarted, Turn


class Places:
    """Follows the news of one seat."""

    def __init__(self) -> None:
        """The match has not begun."""
        self._round = 0
        self._turns = 0
        self._over = False

    def follow(self, news: Sequence[AnyEvent]) -> str:
        """Take in what the seat is told now, and name the place: ``round 3, turn 2``."""
        for event in news:
            if isinstance(event, RoundStarted | ClaroRoundStarted):
                self._round, self._turns, self._over = event.round, 0, False
            elif isinstance(event, Turn | Played | Passed):
                self._turns += 1
            elif isinstance(event, RoundEnded | ClaroRoundEnded):
                self._over = True
        if self._over:
            return f"round {self._round}, its end"
        return f"round {self._round}, turn {self._turns + 1}"
