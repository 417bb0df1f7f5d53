"""What every service works on."""

from __future__ import annotations

from dataclasses import dataclass

from arena.app.conducting.conductor import Conductor
from arena.server.settings import Settings
from arena.store import Store


@dataclass(frozen=True, slots=True)
class Arena:
    """One arena: made once when the server starts, handed to each service."""

    store: Store
    settings: Settings
    #: What plays and builds.
    conductor: Conductor
