"""A person's seat: questions go out to whoever serves the person, answers come back in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final, TypeAlias

from arena.match.faults import FaultKind, PlayerFault, PlayerGone
from arena.match.player import Answer, PlayerReport
from arena.players.blame import LATE
from arena.players.choices import READY, Choices, NotAChoice, Said
from arenabot import wire
from arenabot.anygame import AnyEvent, AnyPrompt, AnyView, view
from arenabot.bots import MatchInfo
from arenabot.events import Result

ON_THE_WAY: Final = 0.25
"""Seconds that a question and its answer may lie in the pipes between here and whoever serves the
person, who refuses answers after the time by its own clock: they are nobody's time."""

_GONE: Final = "left the table"


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked.  Numbers count up from 1 in a match."""

    number: int
    seconds: float
    choices: Choices


@dataclass(frozen=True, slots=True)
class Settled:
    """A question is over: an answer was taken, or the time ran out."""

    number: int
    answered: bool


Post: TypeAlias = Callable[[Question | Settled], None]
"""Brings it to whoever serves the person; at once, nobody waits."""


class PersonPlayer:
    """Plays one match for a person; see ``arena.match.player.Player``.

    Time is this process's monotonic clock's: nothing is measured of a person, nobody else's
    turn waits for one, and what isn't answered in time is a fault as a bot's is.
    """

    def __init__(self, post: Post) -> None:
        """``post`` hears of each question, and when it is over."""
        self._post = post
        self._view: AnyView | None = None
        self._seat = 0
        self._number = 0
        self._choices = READY
        self._answer: asyncio.Future[wire.Answered] | None = None
        self._left = False

    async def start(self, match_id: str, info: MatchInfo, seconds: float) -> None:  # noqa: ARG002
        """Know which seat it is: a person who asked for the match needs no getting ready."""
        self._seat = info.seat
        self._view = view(info.options, info.seat, info.seats)

    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        """Ask for an action."""
        seen = self._hearing(news).observation(prompt)
        answer, took = await self._ask(Choices.of(seen), seconds)
        if answer is None or answer is wire.READY:
            raise PlayerFault(FaultKind.TIMEOUT, LATE.format(seconds), seconds)
        return Answer(answer, took)

    async def ready(self, news: Sequence[AnyEvent], seconds: float) -> float:
        """Ask whether the next round may start."""
        self._hearing(news)
        _, took = await self._ask(READY, seconds)
        return took

    async def end(self, news: Sequence[AnyEvent], result: Result) -> None:
        """Nothing: the match's lines tell how it came out."""

    async def close(self) -> PlayerReport:
        """Ask nothing more."""
        self._left = True
        return PlayerReport()

    # --- from whoever serves the person

    def answer(self, number: int, said: Said) -> None:
        """Take an answer; one to a question that is over, or that is none, is dropped."""
        waiting = self._answer
        if waiting is None or waiting.done() or number != self._number:
            return
        try:
            waiting.set_result(self._choices.read(said))
        except NotAChoice:
            return  # whoever serves the person has told so, and the time runs on

    def leave(self) -> None:
        """The person is gone: nothing more is asked."""
        self._left = True
        if self._answer is not None:
            self._answer.cancel()

    # --- asking

    def _hearing(self, news: Sequence[AnyEvent]) -> AnyView:
        if self._view is None:
            raise RuntimeError("a player was asked before it was started")
        for event in news:
            self._view.see(event.seen_by(self._seat))
        return self._view

    async def _ask(self, choices: Choices, seconds: float) -> tuple[wire.Answered | None, float]:
        """The answer, or None if none came in time; and how long it took, at most ``seconds``."""
        self._check()
        self._number += 1
        self._choices = choices
        waiting = self._answer = asyncio.get_running_loop().create_future()
        asked = monotonic()
        self._post(Question(self._number, seconds, choices))
        try:
            # In two steps: had this process no CPU until the time was over, what came meanwhile
            # lies in its pipe still.
            for pause in (seconds, ON_THE_WAY):
                if not waiting.done():
                    await asyncio.wait({waiting}, timeout=pause)
            self._check()
            answer = waiting.result() if waiting.done() else None
            return answer, min(monotonic() - asked, seconds)
        finally:
            answered = waiting.done() and not waiting.cancelled()
            waiting.cancel()
            self._answer = None
            self._post(Settled(self._number, answered))

    def _check(self) -> None:
        if self._left:
            raise PlayerGone(FaultKind.LEFT, _GONE)
