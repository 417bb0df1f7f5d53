"""How golden playthroughs are written: a few characters a move, one lap of the table a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from arenabot.actions import Burn, Draw
from arenabot.anygame import AnyEvent
from arenabot.claro import (
    ClaroReshuffle,
    ClaroRoundEnded,
    ClaroRoundStarted,
    Discarded,
    Passed,
    Played,
    Refilled,
)
from arenabot.events import Reshuffle, Result, RoundEnded, RoundStarted, Turn

_BURNING = """\
# KsKh+3c burns both kings and draws 3c from the deck; 9s<Kh burns 9s and takes Kh from the pile;
# a ! marks a default move.  A line holds one lap and begins with the number of its first turn.
"""
LEGENDS = {
    "claims": _BURNING,
    "claim": _BURNING,
    "claro": """\
# 0:44 is seat 0 playing 44, 1:- is seat 1 passing; a ! marks a default move.  A line holds as
# many turns as there are seats and begins with the number of its first turn.
""",
}


class Scribe:
    """Writes a match down, event by event."""

    def __init__(self, seats: int) -> None:
        """Start with an empty page."""
        self._seats = seats
        self._lines: list[str] = []
        self._turns: list[str] = []
        self._first = 1

    def write(self, events: Iterable[AnyEvent]) -> None:
        """Write what happened next."""
        for event in events:
            if isinstance(event, Turn | Played | Passed):
                self._turns.append(_turn(event))
                if len(self._turns) == self._seats:
                    self._end_line()
            else:
                self._end_line()
                if isinstance(event, RoundStarted | ClaroRoundStarted):
                    self._first = 1
                self._lines += _lines(event)

    def end(self, result: Result) -> str:
        """Write the result and hand the page in."""
        self._lines.append(
            f"match ends by {result.reason.value}: totals {_list(result.totals)}, "
            f"ranks {_list(result.ranks)}\n"
        )
        return "\n".join(self._lines)

    def _end_line(self) -> None:
        if self._turns:
            self._lines.append(f"{self._first:4} {' '.join(self._turns)}")
            self._first += len(self._turns)
            self._turns = []


def _turn(event: Turn | Played | Passed) -> str:
    if isinstance(event, Passed):
        return f"{event.seat}:-"
    mark = "!" if event.default else ""
    if isinstance(event, Played):
        return f"{event.seat}:{event.card}{mark}"
    if not isinstance(event.action, Burn):
        return f"claim{mark}"
    source = "+" if event.action.draw is Draw.DECK else "<"
    return f"{_run(event.action.cards)}{source}{event.drawn}{mark}"


def _lines(event: Any) -> list[str]:
    """The lines of an event that is no turn; a new game's are readable before they have a form."""
    write = _FORMS.get(type(event), str)
    return [write(event), *(_hands(event.hands) if hasattr(event, "hands") else [])]


def _round_started(event: RoundStarted) -> str:
    deal = f"zero {event.zero}, deck {event.deck_size}"
    return f"round {event.round}, seat {event.starter} begins, {deal}"


def _round_ended(event: RoundEnded) -> str:
    how = event.reason.value
    if event.claimer is not None:
        how = f"a claim of seat {event.claimer} that {'held' if event.success else 'failed'}"
    return f"round ends by {how}: points {_list(event.points)}, totals {_list(event.totals)}"


def _claro_round_started(event: ClaroRoundStarted) -> str:
    return f"round {event.round}, seat {event.starter} leads, draw pile {event.draw_size}"


def _claro_round_ended(event: ClaroRoundEnded) -> str:
    how = event.reason.value
    return f"round ends by {how}: seat {event.winner} wins, stars {_list(event.stars)}"


def _discarded(event: Discarded) -> str:
    mark = " !" if event.default else ""
    return f"  {event.seat} discards {_list(event.cards) or 'nothing'}{mark}"


def _refilled(event: Refilled) -> str:
    return f"  {event.seat} draws {_list(event.cards or ())}"


def _reshuffle(event: Reshuffle | ClaroReshuffle) -> str:
    size = event.deck_size if isinstance(event, Reshuffle) else event.draw_size
    return f"     reshuffle {event.number}: {size} cards"


_FORMS: dict[type, Callable[[Any], str]] = {
    RoundStarted: _round_started,
    RoundEnded: _round_ended,
    Reshuffle: _reshuffle,
    ClaroRoundStarted: _claro_round_started,
    ClaroRoundEnded: _claro_round_ended,
    ClaroReshuffle: _reshuffle,
    Discarded: _discarded,
    Refilled: _refilled,
}


def _hands(hands: Sequence[Sequence[int] | None]) -> list[str]:
    return [f"  {seat} {_list(hand or ())}" for seat, hand in enumerate(hands)]


def _list(things: Iterable[object]) -> str:
    return " ".join(map(str, things))


def _run(things: Iterable[object]) -> str:
    return "".join(map(str, things))
