"""Ever longer pauses between tries at what fails through us, by a clock that never jumps."""

from __future__ import annotations

import asyncio
from typing import Final

FIRST: Final = 1.0
"""Seconds before the first try again."""
LONGEST: Final = 60.0
"""Seconds that a pause grows to, doubling."""


class Pauses:
    """The pauses of one who tries again; may be ended early by whoever knows better."""

    def __init__(self) -> None:
        self._next = FIRST
        self._enough = asyncio.Event()

    async def pause(self) -> None:
        """Wait, longer than the last time unless that was forgotten."""
        self._enough.clear()
        seconds, self._next = self._next, min(2 * self._next, LONGEST)
        try:
            async with asyncio.timeout(seconds):
                await self._enough.wait()
        except TimeoutError:
            return

    def forget(self) -> None:
        """Begin with the shortest again: it went well."""
        self._next = FIRST

    def end(self) -> None:
        """Try now."""
        self.forget()
        self._enough.set()
