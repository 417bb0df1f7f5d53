"""A match's replay while it is being written: its lines so far, and who hears of each new one."""

from __future__ import annotations

from collections.abc import Callable

from arena.match.replay import Line


class Transcript:
    """The lines of one match, in order."""

    __slots__ = ("lines", "listener")

    def __init__(self) -> None:
        self.lines: list[Line] = []
        #: Hears of each line as it is added, complete; at once, so it must not take long.
        self.listener: Callable[[Line], None] | None = None

    def add(self, line: Line) -> None:
        """Write a line; it does not change any more."""
        self.lines.append(line)
        if self.listener is not None:
            self.listener(line)
