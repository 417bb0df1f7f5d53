"""Thinking on others' time: what a bot computes outside its own, and what is done about it.

A bot's own time is all before its first question and each question, turn or ready, until it has
answered.
gRPC's own threads, collecting garbage and getting ready for the next message are no thinking, so a
little is free.  What is beyond that is measured, and a bot that goes on is held still between its
questions for the rest of the match: its next one begins when it runs again.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol

#: What is free: seconds of CPU time in a match, and more for each question, four times what a bot
#: of the SDK uses after its answers.
FREE: Final = 0.05
FREE_EACH: Final = 0.0002
#: How often we look, in seconds: it costs a little.
_LOOK: Final = 0.05


class Ponder(enum.Enum):
    """What is done about bots that think on others' time."""

    #: They are held still between their questions, once they are found out.
    FREEZE = "freeze"
    #: It is measured and told, nothing else.
    MEASURE = "measure"
    #: It is nobody's business.
    ALLOW = "allow"


class Meter(Protocol):
    """A running bot's meter, as far as it is needed here."""

    @property
    def can_freeze(self) -> bool:
        """Whether the bot can be held still."""

    def cpu(self) -> float:
        """Seconds of CPU time that the bot has used so far."""

    def freeze(self) -> None:
        """Hold the bot still."""

    def thaw(self) -> None:
        """Let it go on."""


class Pondering:
    """One bot in one match, from when it is ready; without a meter nothing is known."""

    def __init__(self, meter: Meter | None, rule: Ponder) -> None:
        """Watch from the bot's first question on."""
        self._meter = None if rule is Ponder.ALLOW else meter
        self._freezes = rule is Ponder.FREEZE and meter is not None and meter.can_freeze
        #: CPU time when its first question came, and in its own time since.
        self._begun: float | None = None
        self._own = 0.0
        self._questions = 0
        self._next_look = 0.0
        #: CPU time outside of its own time when it was found out.
        self._found = 0.0
        #: Whether it was found out and is held still between its questions.
        self.held = False

    @property
    def seconds(self) -> float | None:
        """CPU time outside of its own time so far; ``None`` where that is not measured."""
        if self._meter is None:
            return None
        # A bot that is held still uses nothing more, but the kernel counts what a running thread
        # has used at its next tick only, milliseconds after the answer: that is its own time.
        return self._found if self.held else self._outside(self._meter.cpu())

    def begin(self) -> None:
        """Let the bot run: this is its own time."""
        if self._meter is None:
            return
        if self.held:
            self._meter.thaw()
        if self._begun is None:
            self._begun = self._meter.cpu()

    def rest(self, cpu: float | None) -> None:
        """Its own time is over, in which it used so many seconds of CPU time, if that is known."""
        if self._meter is None:
            return
        self._own += cpu or 0.0
        self._questions += 1
        if not self.held and self._freezes and (now := time.monotonic()) >= self._next_look:
            self._next_look = now + _LOOK
            self._found = self._outside(self._meter.cpu())
            self.held = self._found > FREE + FREE_EACH * self._questions
        if self.held:
            self._meter.freeze()

    @contextmanager
    def own_time(self) -> Iterator[None]:
        """Do both, and measure in between: for questions that nobody else measures."""
        self.begin()
        before = self._meter.cpu() if self._meter else 0.0
        try:
            yield
        finally:
            self.rest(self._meter.cpu() - before if self._meter else None)

    def _outside(self, cpu: float) -> float:
        return 0.0 if self._begun is None else max(0.0, cpu - self._begun - self._own)
