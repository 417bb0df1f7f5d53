"""The vocabulary of Claro, which shares nothing with the other two games but their shape."""

from arenabot.claro.actions import ClaroAction, Discard, Play
from arenabot.claro.cards import CLARO_CARDS, ClaroCard, ClaroDeck, claro_cards, standard_deck
from arenabot.claro.events import (
    ClaroEvent,
    ClaroReshuffle,
    ClaroRoundEnded,
    ClaroRoundReason,
    ClaroRoundStarted,
    Discarded,
    Passed,
    Played,
    Refilled,
)
from arenabot.claro.observation import ClaroObservation, ClaroPrompt, ClaroView
from arenabot.claro.options import ClaroOptions

__all__ = [
    "CLARO_CARDS",
    "ClaroAction",
    "ClaroCard",
    "ClaroDeck",
    "ClaroEvent",
    "ClaroObservation",
    "ClaroOptions",
    "ClaroPrompt",
    "ClaroReshuffle",
    "ClaroRoundEnded",
    "ClaroRoundReason",
    "ClaroRoundStarted",
    "ClaroView",
    "Discard",
    "Discarded",
    "Passed",
    "Play",
    "Played",
    "Refilled",
    "claro_cards",
    "standard_deck",
]
