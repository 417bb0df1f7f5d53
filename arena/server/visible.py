"""What a caller may see."""

from __future__ import annotations

from arena.app.tournaments import seeing
from arena.server.caller import caller
from arena.store import Seeing, Store, Tournament


def visible(store: Store, name: str) -> Tournament:
    """The tournament of that name, if the caller may see it. Blocks.

    Raises NotFound with the same sentence whether it isn't there or isn't shown.
    """
    who = caller()
    return seeing.find(store, name, Seeing(who.author, who.admin))
