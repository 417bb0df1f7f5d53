"""Write a bot for the Claim Arena.

This package is the one vocabulary of the platform: cards, actions, events, observations; and
what turns a class of yours into a bot that the arena can call.  It never imports the arena.

Names are loaded when they are first used, so that the vocabulary comes without gRPC.  No name
here may be that of a module: whichever was imported last would win.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arenabot.actions import CLAIM, Action, Burn, Claim, Draw, burn
    from arenabot.bots import Bot, ClaimBot, ClaimsBot, ClaroBot, MatchInfo
    from arenabot.cards import DECK, POINTS, RANKS, SUITS, Card, points
    from arenabot.claro import (
        CLARO_CARDS,
        ClaroCard,
        ClaroObservation,
        ClaroOptions,
        ClaroRoundEnded,
        Discard,
        Play,
        claro_cards,
    )
    from arenabot.events import MatchReason, Reshuffle, Result, RoundEnded, RoundReason, Turn
    from arenabot.observation import ClaimObservation, ClaimsObservation, Observation
    from arenabot.options import ClaimOptions, ClaimsOptions, OptionError
    from arenabot.serving import serve

__version__ = "0.1.0"

_HOMES = {
    "actions": ("CLAIM", "Action", "Burn", "Claim", "Draw", "burn"),
    "bots": ("Bot", "ClaimBot", "ClaimsBot", "ClaroBot", "MatchInfo"),
    "cards": ("DECK", "POINTS", "RANKS", "SUITS", "Card", "points"),
    "claro": (
        "CLARO_CARDS",
        "ClaroCard",
        "ClaroObservation",
        "ClaroOptions",
        "ClaroRoundEnded",
        "Discard",
        "Play",
        "claro_cards",
    ),
    "events": ("MatchReason", "Reshuffle", "Result", "RoundEnded", "RoundReason", "Turn"),
    "observation": ("ClaimObservation", "ClaimsObservation", "Observation"),
    "options": ("ClaimOptions", "ClaimsOptions", "OptionError"),
    "serving": ("serve",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CLAIM",
    "CLARO_CARDS",
    "DECK",
    "POINTS",
    "RANKS",
    "SUITS",
    "Action",
    "Bot",
    "Burn",
    "Card",
    "Claim",
    "ClaimBot",
    "ClaimObservation",
    "ClaimOptions",
    "ClaimsBot",
    "ClaimsObservation",
    "ClaimsOptions",
    "ClaroBot",
    "ClaroCard",
    "ClaroObservation",
    "ClaroOptions",
    "ClaroRoundEnded",
    "Discard",
    "Draw",
    "MatchInfo",
    "MatchReason",
    "Observation",
    "OptionError",
    "Play",
    "Reshuffle",
    "Result",
    "RoundEnded",
    "RoundReason",
    "Turn",
    "burn",
    "claro_cards",
    "points",
    "serve",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its module when it is first asked for (PEP 562)."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
