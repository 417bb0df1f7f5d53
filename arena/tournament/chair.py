"""A person's seat in a match in play, as it is served to the person.

The worker that plays the match asks and takes the time; here is what it asks, for whoever shows it,
and the way back. An answer that can't be given is refused here, and costs nothing but time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import TypeAlias

from arena.players.choices import Choices, NotAChoice, Said
from arena.players.person import Question, Settled
from arena.tournament.broadcast import Broadcast
from arena.tournament.frames import Answered

Say: TypeAlias = Callable[[Answered | None], None]
"""Tells the worker what a person has answered, or, with None, that the person has left."""


class NotTaken(Exception):
    """An answer that was not taken; the text says why."""


class TooLate(NotTaken):
    """The question is over."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that is open at this moment."""

    number: int
    choices: Choices
    #: Seconds in all, and how many of them were left when this was made.
    seconds: float
    left: float


@dataclass(slots=True, eq=False)
class _Open:
    """A question that is open, and whether its answer was taken, once that is known."""

    question: Question
    since: float
    taken: asyncio.Future[bool]
    answered: bool = False


class Chair:
    """What a person is asked in one match, and says."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing is asked yet; ``clock`` in seconds."""
        #: The match as this seat sees it.
        self.broadcast = Broadcast()
        self._clock = clock
        self._open: _Open | None = None
        self._say: Say | None = None
        self._left = False
        self._ended = False
        #: Replaced whenever something has changed, so that nobody misses it.
        self._news = asyncio.Event()

    @property
    def left(self) -> bool:
        """Whether the person has gone: the match goes on without."""
        return self._left

    @property
    def question(self) -> Asked | None:
        """What is asked at this moment; None: others are to act."""
        if self._open is None or self._open.answered:
            return None
        asked = self._open.question
        left = max(0.0, self._open.since + asked.seconds - self._clock())
        return Asked(asked.number, asked.choices, asked.seconds, left)

    async def questions(self) -> AsyncGenerator[Asked | None, None]:
        """What is asked now, and again after each change, until the match ends.

        Who reads slowly misses what was over meanwhile.
        """
        while not self._ended:
            news = self._news
            yield self.question
            await news.wait()

    async def answer(self, number: int, said: Said) -> None:
        """Answer a question; returns once the answer counts.

        Raises NotTaken: it is over, was answered, or can't be answered so, and then it is open
        still.
        """
        asked = self._open
        if asked is None or self._say is None or number != asked.question.number:
            raise TooLate("this isn't asked any more")
        if asked.answered:
            raise NotTaken("this is answered already")
        if self._clock() > asked.since + asked.question.seconds:
            raise TooLate("the time was over")
        try:
            asked.question.choices.read(said)
        except NotAChoice as why:
            raise NotTaken(str(why)) from None
        asked.answered = True
        self._say(Answered(number, dict(said)))
        self._wake()
        if not await asyncio.shield(asked.taken):
            raise TooLate("the time was over")

    def leave(self) -> None:
        """The person goes away; twice is the same as once."""
        if not self._left and self._say is not None:
            self._say(None)
        self._left = True
        self._close(taken=False)

    # --- from whoever has the match played

    def begin(self, say: Say) -> None:
        """The match is with a worker."""
        self._say = say
        if self._left:
            say(None)

    def hear(self, told: Question | Settled | None) -> None:
        """Take in what the worker says of questions; None is nothing."""
        if isinstance(told, Question):
            if self._left:
                return  # the worker hears of that in a moment
            taken: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
            self._open = _Open(told, self._clock(), taken)
            self._wake()
        elif told is not None and self._open and told.number == self._open.question.number:
            self._close(taken=told.answered)

    def end(self) -> None:
        """The match is over, or cut off."""
        self._ended = True
        self._say = None
        self._close(taken=False)

    def _close(self, *, taken: bool) -> None:
        if self._open is not None:
            if not self._open.taken.done():
                self._open.taken.set_result(taken)
            self._open = None
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
