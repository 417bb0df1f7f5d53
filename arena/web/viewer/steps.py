"""A match as steps: each line of it with the position after it, and told in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from arena.match.faults import FaultKind
from arena.match.replay import DECISION_LINES, Line
from arena.web.viewer.following import follower
from arena.web.viewer.position import Position
from arena.web.viewer.telling import Teller, Told

#: Faults after which a seat plays default moves to the end.
LASTING: Final = frozenset(
    kind.value
    for kind in (
        FaultKind.NEVER_STARTED,
        FaultKind.CRASHED,
        FaultKind.OUT_OF_MEMORY,
        FaultKind.PROTOCOL,
        FaultKind.BUDGET,
        FaultKind.TOO_MANY_FAULTS,
        FaultKind.LEFT,
    )
)


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a match."""

    #: Names the step in links, like ``r3t12``.
    id: str
    #: The line's type, but ``claim`` where a turn claims.
    kind: str
    round: int
    #: The number of the turn in its round; None for what is no turn.
    turn: int | None
    seat: int | None
    told: Told
    position: Position
    #: Why a default move stood in.
    fault: str | None = None
    #: Whether this is where it began, and not one more turn of a seat that is out.
    fault_begins: bool = False
    #: The seat's own time for it in milliseconds, where it was measured.
    milliseconds: float | None = None
    #: What the step shows beside the position: cards moved, a round's or the match's outcome.
    shows: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self, before: Position | None) -> dict[str, Any]:
        """What the viewer's script reads; of the position, what has changed."""
        told: dict[str, Any] = {
            "id": self.id,
            "kind": self.kind,
            "say": self.told.all,
            "at": self.position.changes(before),
            **self.shows,
        }
        optional = {
            "seat": self.seat,
            "veiled": self.told.veiled,
            "fault": self.fault,
            "faultBegins": self.fault_begins or None,
            "ms": self.milliseconds,
        }
        return told | {key: value for key, value in optional.items() if value is not None}


class Stepper:
    """Makes steps of a match's lines, one by one."""

    def __init__(self, header: Line, language: str = "en") -> None:
        """Begin with the header, which is no step itself."""
        self._follower = follower(header)
        self._teller = Teller(header, language)
        self._out: set[int] = set()

    @property
    def position(self) -> Position:
        """How things lie now."""
        return self._follower.now

    def step(self, line: Line) -> Step:
        """Take the next line in."""
        before = self._follower.now
        after = self._follower.follow(line)
        kind, seat, fault = line["type"], line.get("seat"), line.get("fault")
        if kind == "turn" and "claim" in line["action"]:
            kind = "claim"
        begins = fault is not None and seat not in self._out
        if fault in LASTING and seat is not None:
            self._out.add(seat)
        measured = line.get("measured", {}) if line["type"] in DECISION_LINES else {}
        return Step(
            id=self._name(line, after.round),
            kind=kind,
            round=after.round,
            turn=line.get("turn"),
            seat=seat,
            told=self._teller.tell(line, before),
            position=after,
            fault=fault,
            fault_begins=begins,
            milliseconds=measured.get("charged_ms"),
            shows=_shown(line, before, after),
        )

    def _name(self, line: Line, round_: int) -> str:
        kind = line["type"]
        if kind == "result":
            return "end"
        name = f"r{round_}"
        if kind == "round_end":
            return f"{name}end"
        if "turn" in line:
            return f"{name}t{line['turn']}"
        if kind in {"discard", "refill"}:
            return f"{name}{kind[0]}{line['seat']}"
        return f"{name}k{line['number']}" if kind == "reshuffle" else name


def steps(lines: Iterable[Line], language: str = "en") -> Iterator[Step]:
    """The steps of a whole match, or of as much of it as there is."""
    rest = iter(lines)
    header = next(rest, None)
    if header is None:
        return
    stepper = Stepper(header, language)
    for line in rest:
        yield stepper.step(line)


def as_json(made: Iterable[Step]) -> list[dict[str, Any]]:
    """Steps as the viewer's script reads them, one after the other."""
    before: Position | None = None
    told = []
    for step in made:
        told.append(step.as_json(before))
        before = step.position
    return told


def _shown(line: Line, before: Position, after: Position) -> Mapping[str, Any]:
    """What moved, and how a round or the match came out."""
    kind = line["type"]
    if kind == "round_end":
        return {"end": _end(line, before, after)}
    if kind == "result":
        return {"result": _result(line)}
    if kind == "turn" and "burn" in line["action"]:
        action = line["action"]
        return {"moved": action["burn"], "drawn": line["drawn"], "from": action["draw"]}
    if kind == "refill":
        return {"refilled": line.get("cards", [])}
    moved = line.get("cards") if kind == "discard" else [line["card"]] if kind == "play" else None
    return {} if moved is None else {"moved": moved}


def _end(line: Line, before: Position, after: Position) -> Mapping[str, Any]:
    told = {"reason": line["reason"], "totals": list(after.totals)}
    if "points" not in line:
        return {**told, "winner": line["winner"], "played": list(before.pile)}
    return {
        **told,
        "claimer": line["claimer"],
        "success": line["success"],
        "points": line["points"],
        "costs": list(after.costs),
    }


def _result(line: Line) -> Mapping[str, Any]:
    return {
        "reason": line["reason"],
        "totals": line["totals"],
        "ranks": line["ranks"],
        "faults": [[fault["kind"] for fault in seat] for seat in line["faults"]],
        "out": line.get("out"),
    }
