"""What can be watched of a tournament: how far it is at this moment, and what has ended."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from arena.store import Progress

MOST_ENDED: Final = 500
"""How many ended matches a slow watcher hears of at once: of more, the newest."""


@dataclass(frozen=True, slots=True)
class Playing:
    """What a server does about a tournament at this moment."""

    #: Whether it plays the tournament, or would if it were not draining or in trouble.
    wanted: bool = False
    #: The ids of the matches that are being played.
    in_play: tuple[str, ...] = ()
    #: Why it can't play on, in one sentence; empty if it can.
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class TournamentNews:
    """A tournament has changed: how far it is now, and which matches have ended meanwhile."""

    progress: Progress
    playing: Playing
    #: By their ids, in the order in which they ended.
    ended: tuple[str, ...] = ()

    def after(self, older: TournamentNews) -> TournamentNews:
        """Take in what a watcher has not heard yet."""
        return replace(self, ended=(older.ended + self.ended)[-MOST_ENDED:])
