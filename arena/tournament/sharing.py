"""One executor for many who want matches played, by turns.

Each has a lane. A free place goes to the lanes by turns, so that a large tournament does not hold
up a small one; a lane that goes first goes before all others as long as it has something.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from arena.tournament.broadcast import Broadcast
from arena.tournament.job import MatchJob, Outcome


class Stage(Protocol):
    """An executor that can show the matches that it plays."""

    @property
    def capacity(self) -> int:
        """How many matches are played at a time."""

    async def play(self, job: MatchJob, broadcast: Broadcast | None = None) -> Outcome:
        """Play a job; ``broadcast`` shows it to spectators."""


@dataclass(frozen=True, slots=True, eq=False)
class InPlay:
    """A match that is being played."""

    match_id: str
    broadcast: Broadcast


class Lane:
    """Plays jobs on a shared executor: an ``Executor`` of its own to whoever has it."""

    def __init__(
        self, sharing: Sharing, *, first: bool, on_change: Callable[[str, InPlay], None]
    ) -> None:
        """Use ``Sharing.lane``."""
        self.first = first
        self.waiting: deque[asyncio.Future[None]] = deque()
        self.in_play: list[InPlay] = []
        self._sharing = sharing
        self._on_change = on_change

    @property
    def capacity(self) -> int:
        """How many matches may be played at a time: all places, if nobody else wants them."""
        return self._sharing.capacity

    async def play(self, job: MatchJob) -> Outcome:
        """Play a job once it is this lane's turn."""
        await self._sharing.place(self)
        match = InPlay(job.match_id, Broadcast())
        self.in_play.append(match)
        try:
            self._on_change("started", match)
            return await self._sharing.stage.play(job, match.broadcast)
        finally:
            self.in_play.remove(match)
            self._sharing.give_back()
            self._on_change("played", match)

    def broadcast(self, match_id: str) -> Broadcast | None:
        """That of a match which is being played; None if it isn't."""
        found = [match.broadcast for match in self.in_play if match.match_id == match_id]
        return found[0] if found else None

    def close(self) -> None:
        """Want nothing more."""
        self._sharing.leave(self)


class Sharing:
    """Gives the places of one executor to the lanes; may be paused."""

    def __init__(self, stage: Stage) -> None:
        """Share ``stage``."""
        self.stage = stage
        self._lanes: deque[Lane] = deque()
        self._taken = 0
        self._paused = False
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def capacity(self) -> int:
        """How many matches are played at a time."""
        return self.stage.capacity

    @property
    def in_play(self) -> int:
        """How many matches are being played."""
        return self._taken

    def lane(
        self, *, first: bool = False, on_change: Callable[[str, InPlay], None] = lambda *_: None
    ) -> Lane:
        """A lane for somebody; ``on_change`` hears of each match that was started or played."""
        lane = Lane(self, first=first, on_change=on_change)
        self._lanes.append(lane)
        return lane

    def pause(self) -> None:
        """Start no more matches; those in play go on."""
        self._paused = True

    def resume(self) -> None:
        """Start matches again."""
        self._paused = False
        self._grant()

    async def idle(self) -> None:
        """Wait until no match is in play."""
        await self._idle.wait()

    # For lanes

    async def place(self, lane: Lane) -> None:
        """Wait for a place; whoever got one gives it back."""
        turn = asyncio.get_running_loop().create_future()
        lane.waiting.append(turn)
        self._grant()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                with suppress(ValueError):
                    lane.waiting.remove(turn)
            else:
                self.give_back()
            raise

    def give_back(self) -> None:
        """Have a place no more."""
        self._taken -= 1
        if not self._taken:
            self._idle.set()
        self._grant()

    def leave(self, lane: Lane) -> None:
        """Forget a lane; twice is the same as once."""
        with suppress(ValueError):
            self._lanes.remove(lane)

    def _grant(self) -> None:
        while not self._paused and self._taken < self.capacity and (lane := self._next()):
            turn = lane.waiting.popleft()
            if turn.cancelled():
                continue
            self._taken += 1
            self._idle.clear()
            turn.set_result(None)

    def _next(self) -> Lane | None:
        """Whose turn it is; that lane comes last from now on."""
        waiting = [lane for lane in self._lanes if lane.waiting]
        if not waiting:
            return None
        lane = min(waiting, key=lambda lane: not lane.first)
        self._lanes.remove(lane)
        self._lanes.append(lane)
        return lane
