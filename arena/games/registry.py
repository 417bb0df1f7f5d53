"""The games there are, by id."""

from __future__ import annotations

from arena.games.api import Game
from arena.games.claim import CLAIM
from arena.games.claims import CLAIMS
from arena.games.claro import CLARO

GAMES: dict[str, Game] = {known.id: known for known in (CLAIMS, CLAIM, CLARO)}


def game(id_: str) -> Game:
    """Look a game up; ``ValueError`` names the ones there are."""
    known = GAMES.get(id_)
    if known is None:
        raise ValueError(f"unknown game {id_!r}; there are: {', '.join(GAMES)}")
    return known
