"""How things lie at the table at one moment, as far as whoever looks may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple


class Held(NamedTuple):
    """A card in a hand."""

    #: Its text form; None where it is not known.
    card: str | None
    #: Whether everybody at the table knows it: it was taken from the pile, say.
    seen: bool = False

    def code(self) -> str:
        """In a step's JSON: ``Ks``, ``Ks*`` if everybody knows it, ``?`` if it is not known."""
        return "?" if self.card is None else f"{self.card}*" if self.seen else self.card


@dataclass(frozen=True, slots=True)
class Position:
    """The table after a line of a replay."""

    #: The round, from 1; 0 before the first.
    round: int = 0
    #: The turn that is due, from 1 in each round; 0 while none is.
    turn: int = 0
    #: How often it has gone round the table in this round, the lap in play included.
    lap: int = 0
    #: Who is to decide now.
    to_act: tuple[int, ...] = ()
    #: By seat, what it holds.
    hands: tuple[tuple[Held, ...], ...] = ()
    #: By seat, what its hand costs; None where it isn't known, and in Claro.
    costs: tuple[int | None, ...] = ()
    #: How many cards can be drawn.
    deck: int = 0
    #: What lies open, its top last: the pile, or what was played in this round of Claro.
    pile: tuple[str, ...] = ()
    #: How many cards lie on Claro's discard pile.
    discarded: int = 0
    #: The card of the rank that costs nothing.
    zero: str | None = None
    #: Each seat's points, in Claro its stars.
    totals: tuple[int, ...] = ()
    #: Whether the seat to act may claim; None where it depends on what isn't known.
    claim_open: bool | None = False
    #: By seat, whether it has passed in this round of Claro.
    passed: tuple[bool, ...] = ()
    #: By seat, how many default moves stood in for its own so far.
    defaults: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Every part by its name, hands as codes."""
        told = {name: getattr(self, name) for name in _PARTS}
        return told | {"hands": [_codes(hand) for hand in self.hands]}

    def changes(self, before: Position | None) -> dict[str, Any]:
        """What is other than it was before; hands that changed stand by seat under ``hand``."""
        if before is None:
            return self.as_json()
        parts = ((name, getattr(self, name)) for name in _PARTS)
        changed = {name: value for name, value in parts if value != getattr(before, name)}
        hands = {
            str(seat): _codes(hand)
            for seat, hand in enumerate(self.hands)
            if hand != before.hands[seat]
        }
        return changed | {"hand": hands} if hands else changed


#: All parts but the hands.
_PARTS: Final = tuple(part.name for part in fields(Position) if part.name != "hands")


def _codes(hand: Sequence[Held]) -> list[str]:
    return [held.code() for held in hand]
