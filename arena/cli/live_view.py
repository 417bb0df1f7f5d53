"""A match in play as it is watched: each line as it comes, nothing hidden in it."""

from __future__ import annotations

import sys
from typing import Final

from rich.text import Text

from arena.cli.console import screen, show
from arena.cli.drawing import Scene, names, result, scene_of, title, with_fault
from arena.match.replay import Line

_NOBODY: Final = -1
"""The eyes of a spectator, who sees no hand."""


class LiveView:
    """Draws a match line by line."""

    def __init__(self) -> None:
        self._header: Line = {}
        self._seats: list[str] = []
        self._scene: Scene | None = None
        #: Whether the match has come to its end.
        self.ended = False

    def see(self, line: Line) -> None:
        """Draw what has just happened, at once also for whoever reads it through a pipe."""
        self._draw(line)
        sys.stdout.flush()

    def _draw(self, line: Line) -> None:
        kind = line["type"]
        if kind == "header":
            self._header, self._seats = line, names(line)
            show(title(line))
        elif kind == "result":
            show(result(line, self._seats))
            self.ended = True
        elif kind == "round":
            self._scene = scene_of(self._header, self._seats, _NOBODY)
            heading, _ = self._scene.begin(line)
            screen().print()
            screen().print(heading)
        elif self._scene is not None:
            if kind == "round_end":
                show(self._scene.end(line))
            for what, (hand, _) in self._scene.see(line):
                seat = self._seats[line["seat"]] if "seat" in line else ""
                turn = str(line.get("turn", ""))
                told = with_fault(what, line)
                screen().print(
                    Text.assemble((f"{turn:>4}  ", "dim"), f"{seat:<20}", told, "  ", hand)
                )
