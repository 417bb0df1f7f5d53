"""Players that do what a test says, and one whole match with them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence

from arena.games import game
from arena.match.faults import FaultKind, PlayerFault, PlayerGone
from arena.match.play import play_match
from arena.match.player import Answer, PlayerReport
from arena.match.record import MatchRecord
from arena.match.setup import MatchSetup, SeatInfo, Timers
from arenabot.anygame import AnyAction, AnyEvent, AnyObservation, AnyPrompt, AnyView, view
from arenabot.bots import MatchInfo
from arenabot.events import Result

#: What a scripted player does at its n-th turn, from 1, instead of playing at random.
Script = Callable[[int, AnyObservation], AnyAction | PlayerFault | float | None]


class Scripted:
    """Plays at random from its seed; a script may answer, fault, or take its time instead."""

    def __init__(self, script: Script = lambda *_: None, *, ready_takes: float = 0.0) -> None:
        self.script = script
        self.ready_takes = ready_takes
        self.turns = self.readies = self.closed = 0
        #: Every time that it was allowed for a turn.
        self.allowed: list[float] = []
        self.heard: list[AnyEvent] = []
        self.result: Result | None = None
        self._view: AnyView | None = None

    async def start(self, match_id: str, info: MatchInfo, seconds: float) -> None:
        self.info = info
        self.rng = random.Random(info.bot_seed)
        self._view = view(info.options, info.seat, info.seats)

    def _hear(self, news: Sequence[AnyEvent]) -> AnyView:
        assert self._view is not None
        assert not self.closed, "asked after it was closed"
        for event in news:
            self.heard.append(event)
            self._view.see(event.seen_by(self.info.seat))
        return self._view

    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        self.turns += 1
        self.allowed.append(seconds)
        observation = self._hear(news).observation(prompt)
        said = self.script(self.turns, observation)
        if isinstance(said, PlayerFault):
            raise said
        took = 0.001
        if isinstance(said, float):
            took, said = said, None
        if took > seconds:
            raise PlayerFault(FaultKind.TIMEOUT, f"no answer within {seconds:g} s", seconds)
        return Answer(said or self.rng.choice(observation.legal_actions()), took)

    async def ready(self, news: Sequence[AnyEvent], seconds: float) -> float:
        self.readies += 1
        self._hear(news)
        return min(self.ready_takes, seconds)

    async def end(self, news: Sequence[AnyEvent], result: Result) -> None:
        self._hear(news)
        self.result = result

    async def close(self) -> PlayerReport:
        self.closed += 1
        return PlayerReport(log=f"log of seat {self.info.seat}", peak_memory=1000)


class NeverStarts(Scripted):
    """Is gone before it was ever there."""

    async def start(self, match_id: str, info: MatchInfo, seconds: float) -> None:
        await super().start(match_id, info, seconds)
        raise PlayerGone(FaultKind.NEVER_STARTED, f"was not ready after {seconds:g} s")


def setup(
    seats: int,
    game_id: str = "claims",
    *,
    seed: int = 1,
    timers: Timers | None = None,
    max_faults: int = 10,
    **options: int,
) -> MatchSetup:
    """A match of this many seats; equal seeds give equal deals."""
    return MatchSetup(
        match_id=f"match-{seed}",
        game=game_id,
        options=game(game_id).options(options),
        seed=seed.to_bytes(32, "big"),
        seats=tuple(SeatInfo(f"bot-{seat}", "1", "ab" * 32) for seat in range(seats)),
        timers=timers or Timers(),
        max_faults=max_faults,
    )


def play(wanted: MatchSetup, *players: Scripted) -> MatchRecord:
    """Play the match to its end; seats without a player of their own play at random."""
    filled = [*players, *(Scripted() for _ in range(len(wanted.seats) - len(players)))]
    return asyncio.run(play_match(wanted, filled))
