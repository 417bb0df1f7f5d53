"""Checks a replay: plays it again from its seed and compares every line.

Only the actions are taken from the file.  Deals, draws, reshuffles, default moves, points, totals
and ranks come from the rules, so a replay in which any of them differs does not hold.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from arena.games import IllegalAction, Phase, State, game
from arena.games.luck import luck_of
from arena.match import replay
from arena.match.faults import FaultKind
from arena.match.replay import Line, ReplayError
from arenabot.anygame import AnyEvent
from arenabot.events import Result
from arenabot.options import Options

# What the rules do not decide and a line may therefore say freely; `fault` is checked apart.
_FREE = frozenset({"measured", "fault", "faults", "out"})
_TOO_MANY = FaultKind.TOO_MANY_FAULTS.value

#: A turn's round and number, and the kind of fault it shows or None.
_At: TypeAlias = tuple[int, int, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of checking a replay."""

    #: The match's result, if every line holds.
    result: Result | None
    #: Otherwise the number of the first line that doesn't, from 1, and why.
    line: int | None = None
    reason: str | None = None
    #: The digest of the lines, whether they hold or not.
    digest: str = ""
    #: By seat, how much better its cards were than chance owes it, if every line holds.
    luck: tuple[float, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every line holds."""
        return self.line is None


class _Wrong(Exception):
    """A line that does not hold."""


def verify(lines: Sequence[Line]) -> Verdict:
    """Check a replay's lines against the rules; never raises for what they say."""
    digest = replay.digest(lines)
    checker = _Checker(lines)
    try:
        return Verdict(checker.check(), digest=digest, luck=checker.luck)
    except (_Wrong, ReplayError) as wrong:
        return Verdict(None, checker.number, str(wrong), digest)


class _Checker:
    """Walks a replay's lines and the state side by side."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        #: The number of the line being looked at, from 1.
        self.number = 0
        self.luck: tuple[float, ...] = ()

    def check(self) -> Result:
        state, options, seats = _begin(self._next())
        self._luck = luck_of(options, seats)
        self._compare(state.events, state, 0)
        while state.phase is not Phase.OVER:
            if state.phase is Phase.ROUND_OVER:
                state.next_round()
                self._compare(state.events, state, 0)
            else:
                self._play(state)
        self._result(state, seats)
        if self.number < len(self.lines):
            self.number += 1
            raise _Wrong("the replay goes on after the result")
        self.luck = tuple(round(of_seat, 6) for of_seat in self._luck.by_seat)
        return state.result()

    def _next(self) -> Line:
        self.number += 1
        if self.number > len(self.lines):
            raise _Wrong("the replay is cut off: the match was not over")
        return self.lines[self.number - 1]

    def _compare(self, events: Sequence[AnyEvent], state: State, turn: int) -> None:
        """Compare the next lines with events that no decision shows in."""
        for event in events:
            self._luck.see(event)
            _same(replay.event_line(event, state.round, turn), self._next())

    def _play(self, state: State) -> None:
        """Apply what the next lines say was decided, and compare what it brought.

        Where several seats decide at once, their lines come before anything else does.
        """
        turn, before = state.turn, len(state.events)
        acting = state.to_act
        for seat in acting:
            self._decide(state, seat)
        # Step back to compare the rest of the lines that were read for their decisions.
        self.number -= len(acting)
        self._compare(state.events[before:], state, turn)

    def _decide(self, state: State, seat: int) -> None:
        """Apply the decision of ``seat`` that the next line shows."""
        line = self._next()
        if line.get("type") not in replay.DECISION_LINES or line.get("seat") != seat:
            raise _Wrong(f"a decision of seat {seat} is due")
        action = replay.read_decision(line)
        default = line.get("default")
        _check_fault(line, default)
        if default and action != state.default_action(seat):
            raise _Wrong(f"the default move is: {state.default_action(seat)}")
        try:
            state.apply(action, seat, default=bool(default))
        except IllegalAction as illegal:
            raise _Wrong(str(illegal)) from None

    def _result(self, state: State, seats: int) -> None:
        line = self._next()
        _same(replay.result_line(state.result(), ()), line)
        told, outs = _by_seat(line, "faults", seats), _by_seat(line, "out", seats)
        for seat in range(seats):
            turns = [
                (turn["round"], turn.get("turn", 0), turn.get("fault"))
                for turn in self.lines
                if turn.get("type") in replay.DECISION_LINES and turn.get("seat") == seat
            ]
            if not _account_holds(_faults(told[seat]), outs[seat], turns):
                raise _Wrong(f"the faults of seat {seat} are not those that its turns show")


def _begin(header: Line) -> tuple[State, Options, int]:
    """Set the match up as the header says: its first state, options and number of seats."""
    if header.get("type") != "header" or header.get("format") != replay.FORMAT:
        raise _Wrong(f"the first line must be a header of format {replay.FORMAT}")
    if header.get("engine") != replay.ENGINE:
        raise _Wrong(f"played by engine {header.get('engine')}, but this one is {replay.ENGINE}")
    seats = header.get("seats")
    if not isinstance(seats, list):
        raise _Wrong("the header must list the seats")
    try:
        rules = game(str(header.get("game")))
        options = rules.options(header.get("options"))
        if header.get("options") != options.as_dict():
            raise _Wrong("the header must list every option of the game")
        seed = bytes.fromhex(str(header.get("seed")))
        state = rules.new_match(seats=len(seats), seed=seed, options=options)
        return state, options, len(seats)
    except (TypeError, ValueError, AttributeError) as error:
        raise _Wrong(f"the header cannot be: {error}") from None


def _check_fault(line: Line, default: Any) -> None:
    """A default move has a fault that says why it stood in, and only a default move has one."""
    fault: FaultKind | None = replay.read_fault(line.get("fault"))
    if type(default) is not bool or default != (fault is not None):
        raise _Wrong("default must be true exactly where a fault says why")


def _same(expected: Line, line: Line) -> None:
    """Compare what the rules decide of a line."""
    for key, value in expected.items():
        if key in _FREE:
            continue
        if key not in line:
            raise _Wrong(f"{key} is missing")
        said = line[key]
        if said != value or type(said) is not type(value):
            raise _Wrong(f"{key} is {json.dumps(said)}, but the rules give {json.dumps(value)}")


def _by_seat(line: Line, name: str, seats: int) -> list[Any]:
    entries = line.get(name)
    if not isinstance(entries, list) or len(entries) != seats:
        raise _Wrong(f"{name} must be a list with an entry for each seat")
    return entries


def _faults(told: Any) -> list[_At]:
    """Read one seat's list of faults."""
    try:
        return [(fault["round"], fault["turn"], fault["kind"]) for fault in told]
    except (KeyError, TypeError):
        raise _Wrong("a fault must name its round, turn and kind") from None


def _account_holds(told: list[_At], out: Any, turns: list[_At]) -> bool:
    """Whether a seat's list of faults and the faults on its turns tell the same story.

    A seat that is out shows why on each turn from then on, and its list names that once: at the
    moment it happened, which may lie before the first deal or between two rounds.
    """
    shown = [turn for turn in turns if turn[2] is not None]

    def agree(faults: list[_At], turns_with_faults: list[_At]) -> bool:
        # What went wrong at a ready check shows in no line, so it stands in the list alone.
        return [fault for fault in faults if fault[1] or fault in shown] == turns_with_faults

    if out is None:
        return agree(told, shown)
    if not told:
        return False
    since = _moment(told[-1])
    if out == _TOO_MANY:
        # The list ends with the fault that was one too many, not with this.
        earlier = told
        after = [turn for turn in turns if _moment(turn) >= since and turn != told[-1]]
    elif told[-1][2] == out:
        earlier = told[:-1]
        after = [turn for turn in turns if _moment(turn) > since or turn == told[-1]]
    else:
        return False
    before = [turn for turn in shown if turn not in after]
    return agree(earlier, before) and all(turn[2] == out for turn in after)


def _moment(at: _At) -> tuple[int, float]:
    """When it was; turn 0 is after a round's turns (before the first deal in round 0)."""
    return at[0], at[1] or math.inf
