"""What a page with a table is made from: for the script as JSON, for everybody as rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from arena.match.replay import Line
from arena.web.viewer.marks import card_text, claro_stars, marker, star_colours
from arena.web.viewer.position import Position
from arena.web.viewer.steps import Step, as_json, steps
from arena.web.viewer.words import words


@dataclass(frozen=True, slots=True)
class Row:
    """A step as a row of the page's table."""

    step: Step
    told: Markup
    #: What the step's seat holds after it.
    hand: Markup
    cost: int | None
    #: Why a default move stood in, in words; empty if none did.
    fault: str


@dataclass(frozen=True, slots=True)
class RoundRows:
    """The rows of one round; round 0 is the match's result."""

    number: int
    rows: Sequence[Row]
    #: By seat what was added and the total after it, if the round has ended.
    scores: Sequence[tuple[int | None, int]]


def table(header: Line, language: str = "en") -> dict[str, Any]:
    """What the script must know of a match before its first step."""
    return {
        "game": header["game"],
        "players": [str(seat["bot"]) for seat in header["seats"]],
        "options": {
            name: value for name, value in header["options"].items() if not isinstance(value, dict)
        },
        "timers": header["timers"],
        "stars": claro_stars(header),
        "colours": list(star_colours(header)),
        "words": dict(words(language, header["game"])),
        "language": language,
    }


def data(lines: Sequence[Line], language: str = "en") -> dict[str, Any]:
    """A whole match for the script."""
    return {**table(lines[0], language), "steps": as_json(steps(lines, language))}


def rounds(lines: Sequence[Line], language: str = "en") -> Iterator[RoundRows]:
    """The table of all steps, round by round."""
    header = lines[0]
    maker = _Rows(header, marker(header), language)
    rows: list[Row] = []
    number = 1
    scores: list[tuple[int | None, int]] = []
    for step in steps(lines, language):
        if step.kind in {"round", "result"} and rows:
            yield RoundRows(number, rows, scores)
            rows, scores = [], []
        number = 0 if step.kind == "result" else step.round
        rows.append(maker.row(step))
        if step.kind == "round_end":
            scores = list(_scores(step))
    if rows:
        yield RoundRows(number, rows, scores)


def _scores(step: Step) -> Iterator[tuple[int | None, int]]:
    end: Mapping[str, Any] = step.shows["end"]
    for seat, total in enumerate(end["totals"]):
        if "points" in end:
            yield end["points"][seat], total
        else:
            yield int(seat == end["winner"]), total


class _Rows:
    """Makes rows."""

    def __init__(self, header: Line, mark: Callable[[str], Markup], language: str) -> None:
        self._mark = mark
        self._stars = claro_stars(header)
        self._words = words(language, header["game"])

    def row(self, step: Step) -> Row:
        fault = ""
        if step.fault is not None:
            fault = self._words["fault"] % {"why": self._words[step.fault]}
        return Row(step, self._mark(step.told.all), self._hand(step), self._cost(step), fault)

    def _hand(self, step: Step) -> Markup:
        if step.seat is None:
            return Markup("")
        held = _hand(step.position, step.seat)
        return Markup(" ").join(
            "?" if card is None else card_text(card, self._stars) for card in held
        )

    @staticmethod
    def _cost(step: Step) -> int | None:
        return None if step.seat is None else step.position.costs[step.seat]


def _hand(position: Position, seat: int) -> list[str | None]:
    return [held.card for held in position.hands[seat]]
