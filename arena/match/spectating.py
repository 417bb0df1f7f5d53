"""What may be known of a match in play: its replay's lines without what is hidden.

A spectator stands at the table and sees what lies open there: neither hands nor draw piles, nor
what is drawn from them, nor the seed from which both follow; what seats play, burn, claim and
discard, and hands only where the game shows them. Each line is told by what it may say and not by
what it must not, so that nothing new in a replay becomes known by itself. The time that a bot took
is its author's business.

Who has a seat sees all that, and besides the cards of that seat: those that it is dealt and draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from arena.match.replay import Line
from arenabot.actions import Draw

_OPEN: Final[Mapping[str, tuple[str, ...]]] = {
    "header": (
        "format",
        "engine",
        "game",
        "options",
        "match",
        "seats",
        "timers",
        "max_faults",
        "isolation",
    ),
    "round": ("round", "starter", "zero"),
    "turn": ("round", "turn", "seat", "action", "default", "fault"),
    "play": ("round", "turn", "seat", "card", "default", "fault"),
    "pass": ("round", "turn", "seat"),
    "discard": ("round", "seat", "cards", "default", "fault"),
    "refill": ("round", "seat"),
    "reshuffle": ("round", "number"),
    # In Claims and Claim! all hands are laid open here; in Claro there are none in the line.
    "round_end": (
        "round",
        "reason",
        "claimer",
        "success",
        "hands",
        "points",
        "totals",
        "winner",
        "stars",
    ),
    "result": ("reason", "totals", "ranks", "winners", "faults", "out"),
}
"""By type of line, the keys that everybody at the table sees."""


def _round(line: Line) -> Line:
    return {
        "hand_sizes": [len(hand) for hand in line["hands"]],
        "deck_size": len(line["deck"]),
    }


def _turn(line: Line) -> Line:
    """A card from the pile was seen by all before it was drawn."""
    from_pile = line["action"].get("draw") == Draw.PILE.value
    return {"drawn": line["drawn"] if from_pile else None}


_SAID_OTHERWISE: Final[Mapping[str, Callable[[Line], Line]]] = {
    "round": _round,
    "turn": _turn,
    "refill": lambda line: {"drawn": len(line["cards"])},
    "reshuffle": lambda line: {"deck_size": len(line["deck"])},
}
"""What stands in a public line instead of what is hidden."""


def public(line: Line) -> Line | None:
    """What a spectator may know of a replay's line; None for one of a kind that isn't known."""
    kind = line["type"]
    if kind not in _OPEN:
        return None
    said = {key: line[key] for key in _OPEN[kind] if key in line}
    otherwise = _SAID_OTHERWISE.get(kind)
    return {"type": kind, **said, **(otherwise(line) if otherwise else {})}


def _own_turn(line: Line, seat: int) -> Line:
    return {"drawn": line["drawn"]} if line["seat"] == seat else {}


def _own_refill(line: Line, seat: int) -> Line:
    return {"cards": line["cards"]} if line["seat"] == seat else {}


def _own_hand(line: Line, seat: int) -> Line:
    return {"hands": [hand if at == seat else None for at, hand in enumerate(line["hands"])]}


_OWN: Final[Mapping[str, Callable[[Line, int], Line]]] = {
    "round": _own_hand,
    "turn": _own_turn,
    "refill": _own_refill,
}
"""What a seat sees of a line besides what all see."""


def seen_by(line: Line, seat: int) -> Line | None:
    """What a seat may know of a replay's line; None for one of a kind that isn't known."""
    said = public(line)
    if said is None or line["type"] not in _OWN:
        return said
    return {**said, **_OWN[line["type"]](line, seat)}
