"""The vocabularies of all games as one, for whoever plays or carries any of them.

Claims and Claim! share theirs (``actions``, ``events``, ``observation``); Claro has its own.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from arenabot.actions import Action
from arenabot.claro import (
    ClaroAction,
    ClaroEvent,
    ClaroObservation,
    ClaroOptions,
    ClaroPrompt,
    ClaroRoundEnded,
    ClaroView,
)
from arenabot.events import Event, RoundEnded
from arenabot.observation import Observation, Prompt, View
from arenabot.options import Options

AnyAction: TypeAlias = Action | ClaroAction
AnyEvent: TypeAlias = Event | ClaroEvent
AnyPrompt: TypeAlias = Prompt | ClaroPrompt
AnyObservation: TypeAlias = Observation[Any] | ClaroObservation
AnyRoundEnded: TypeAlias = RoundEnded | ClaroRoundEnded


class AnyView(Protocol):
    """One seat's memory of a match: give it the news in order, ask it for the observation."""

    def see(self, event: Any) -> None:
        """Fold one event in; ``ValueError`` where it cannot follow what was seen before."""

    def observation(self, prompt: Any) -> AnyObservation:
        """Say what this seat knows now that it is asked."""


def view(options: Options, seat: int, seats: int) -> AnyView:
    """The memory of a seat in the game that ``options`` belong to."""
    if isinstance(options, ClaroOptions):
        return ClaroView(options, seat, seats)
    return View(options, seat, seats)
