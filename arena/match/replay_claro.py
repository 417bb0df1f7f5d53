"""The lines of a replay that only Claro has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arenabot.claro import (
    ClaroCard,
    ClaroEvent,
    ClaroReshuffle,
    ClaroRoundEnded,
    ClaroRoundStarted,
    Discarded,
    Passed,
    Played,
    Refilled,
)


def claro_line(event: ClaroEvent, round_: int) -> dict[str, Any]:
    """The line of one event of Claro."""
    told = _told(event)
    return {"type": told.pop("type"), "round": round_, **told}


def _told(event: ClaroEvent) -> dict[str, Any]:
    if isinstance(event, Played):
        return {
            "type": "play",
            "turn": event.turn,
            "seat": event.seat,
            "card": str(event.card),
            "default": event.default,
            "fault": None,
        }
    if isinstance(event, Passed):
        return {"type": "pass", "turn": event.turn, "seat": event.seat}
    if isinstance(event, Discarded):
        return {
            "type": "discard",
            "seat": event.seat,
            "cards": _texts(event.cards),
            "default": event.default,
            "fault": None,
        }
    if isinstance(event, Refilled):
        return {"type": "refill", "seat": event.seat, "cards": _texts(event.cards or ())}
    return _told_of_round(event)


def _told_of_round(event: ClaroRoundStarted | ClaroRoundEnded | ClaroReshuffle) -> dict[str, Any]:
    if isinstance(event, ClaroRoundStarted):
        return {
            "type": "round",
            "starter": event.starter,
            "zero": None,
            "hands": [_texts(hand or ()) for hand in event.hands],
            "deck": _texts(event.draw_pile or ()),
        }
    if isinstance(event, ClaroRoundEnded):
        return {
            "type": "round_end",
            "reason": event.reason.value,
            "winner": event.winner,
            "stars": list(event.stars),
        }
    return {"type": "reshuffle", "number": event.number, "deck": _texts(event.draw_pile or ())}


def _texts(cards: Iterable[ClaroCard]) -> list[str]:
    return [str(card) for card in cards]
