"""Draws a match turn by turn: what each seat did, what it then held, how each round came out.

Only lines that the verifier has found right are drawn, so nothing here need doubt them; the bots'
names are strangers' words all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Protocol

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.cli.console import FAULT, Holding, faults_text, options_text, table
from arena.cli.drawing_burn import BurnScene
from arena.cli.drawing_claro import ClaroScene
from arena.cli.text import clean
from arena.games import game
from arena.match.replay import Line

_REASONS = {
    "target": "the target was reached",
    "max_rounds": "no more rounds may be played",
    "stars": "a seat has its third star",
}


class Scene(Protocol):
    """One round of a game as it is drawn; remembers who holds what."""

    def begin(self, line: Line) -> tuple[Text, list[Holding]]:
        """The deal: a heading, and what each seat holds."""

    def see(self, line: Line) -> Iterator[tuple[Text, Holding]]:
        """Something happened: what it was, and what the seat then holds."""

    def end(self, line: Line) -> RenderableType:
        """How the round came out."""


def draw(lines: Sequence[Line], *, only_round: int | None, eyes: int | None) -> RenderableType:
    """Draw a replay's lines; ``eyes`` is the seat whose knowledge is shown, else all of it is."""
    header, *rest = lines
    seats = names(header)
    parts: list[RenderableType] = [title(header)]
    for number, group in groupby(rest, key=lambda line: line.get("round")):
        if number is None and only_round is None:
            parts += [result(line, seats) for line in group]
        elif number is not None and only_round in {None, number}:
            parts += _round(list(group), scene_of(header, seats, eyes), seats)
    return Group(*parts)


def names(header: Line) -> list[str]:
    """What each seat is called in a drawing."""
    return [f"{at} {clean(seat['bot'])}" for at, seat in enumerate(header["seats"])]


def scene_of(header: Line, seats: list[str], eyes: int | None) -> Scene:
    """A round to be drawn."""
    return (ClaroScene if header["game"] == "claro" else BurnScene)(header, seats, eyes)


def rounds(lines: Sequence[Line]) -> int:
    """How many rounds the lines tell of."""
    return sum(line["type"] == "round" for line in lines)


def title(header: Line) -> RenderableType:
    """What is played by whom."""
    options = options_text(header["options"]) or "none"
    timers = ", ".join(f"{name} {seconds:g} s" for name, seconds in header["timers"].items())
    rows = [
        (number, seat["bot"], seat["version"], str(seat["digest"])[:12])
        for number, seat in enumerate(header["seats"])
    ]
    return Group(
        Text(f"{game(header['game']).name}, match {clean(header['match'])}", "bold"),
        Text(clean(f"options: {options}"), "dim"),
        Text(clean(f"timers: {timers}"), "dim"),
        table(("seat>", "bot", "version", "digest"), rows),
    )


def _round(lines: list[Line], scene: Scene, seats: list[str]) -> Iterator[RenderableType]:
    heading, hands = scene.begin(lines[0])
    yield heading
    grid = _grid()
    for seat, hand in zip(seats, hands, strict=True):
        grid.add_row("", seat, Text("is dealt", "dim"), *hand)
    for line in lines[1:]:
        if line["type"] == "round_end":
            yield grid
            yield scene.end(line)
            grid = _grid()
        for what, hand in scene.see(line):
            seat = seats[line["seat"]] if "seat" in line else ""
            grid.add_row(str(line.get("turn", "")), seat, with_fault(what, line), *hand)
    yield grid
    yield Text()


def _grid() -> Table:
    grid = Table.grid("turn", "seat", "what", "hand", "cost", padding=(0, 2))
    grid.columns[0].justify = grid.columns[-1].justify = "right"
    grid.columns[0].style = "dim"
    return grid


def with_fault(what: Text, line: Line) -> Text:
    """Mark a move that stood in for the seat's own."""
    fault = line.get("fault")
    return what if fault is None else Text.assemble((f"{fault} ", FAULT), what)


def result(line: Line, seats: list[str]) -> RenderableType:
    """How the match came out."""
    rows = sorted(
        (rank, seat, total, faults_text(fault["kind"] for fault in faults))
        for rank, seat, total, faults in zip(
            line["ranks"], seats, line["totals"], line["faults"], strict=True
        )
    )
    cells = [(*row[:3], Text(row[3], FAULT)) for row in rows]
    return Group(
        Text(f"The match is over: {_REASONS[line['reason']]}", "bold"),
        table(("rank>", "seat", "total>", "faults"), cells),
    )
