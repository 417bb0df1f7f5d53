"""One match as spectators see it: nothing is sent for it before somebody looks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Final

from arena.match.replay import Line

MOST_LINES: Final = 100_000
"""No match of ours comes near; a worker that has gone mad does not fill the memory."""
SLOW: Final = 30.0
"""Seconds over a single line, after which somebody is not following any more."""


class Cut(Exception):
    """The match goes on, but no more of it can be shown; the text says why."""


class Broadcast:
    """The public lines of a match, kept once for all who watch it, each at their own pace.

    Whoever reads slowly is behind, and costs nothing: neither the match nor the others wait.
    """

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._watchers = 0
        self._ended = False
        self._cut = ""
        self._order: Callable[[bool], None] | None = None
        #: Replaced whenever there is something new, so that nobody misses it.
        self._news = asyncio.Event()

    async def watch(self) -> AsyncGenerator[Line, None]:
        """All lines from the first one on, as they come, until the match ends. Raises Cut."""
        self._watchers += 1
        if self._watchers == 1 and self._order is not None:
            self._order(True)
        at, clock = 0, asyncio.get_running_loop().time
        try:
            while True:
                while at < len(self._lines):
                    began = clock()
                    yield self._lines[at]
                    at += 1
                    if clock() - began > SLOW:
                        raise Cut("this match was read too slowly: watch it again")
                if self._ended:
                    return
                if self._cut:
                    raise Cut(self._cut)
                await self._news.wait()
        finally:
            self._leave()

    def begin(self, order: Callable[[bool], None]) -> None:
        """The match is with a worker: `order` tells that whether to send lines."""
        self._order = order
        if self._watchers:
            order(True)

    def add(self, before: int, lines: Sequence[Line]) -> None:
        """Take in lines, the first of which has so many before it.

        What comes from before the last watcher left, or twice, is known by that and dropped.
        """
        have = len(self._lines)
        if before > have:
            return
        self._lines.extend(lines[have - before :])
        if len(self._lines) > MOST_LINES:
            self.cut()
        self._wake()

    def cut(self) -> None:
        """Say that no more lines come, though the match goes on."""
        self._cut = "this match can't be followed at the moment: watch it again"
        self._wake()

    def end(self) -> None:
        """Say that the match has ended."""
        self._ended = True
        self._order = None
        self._wake()

    def _leave(self) -> None:
        self._watchers -= 1
        if self._watchers:
            return
        self._lines, self._cut = [], ""
        if self._order is not None:
            self._order(False)

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
