"""The rules of the three games, and nothing else.

This room is pure: it knows no clock, no I/O, no asyncio and no gRPC, and all chance comes from
the match seed (RULINGS X6).  It must not know who plays, how long they may think, or what is
recorded.  Its only neighbour is arenabot's vocabulary: cards, actions, events, observations.

>>> from arena.games import game
>>> match = game("claims").new_match(seats=2, seed=bytes(32))
>>> action = match.legal_actions()[0]
>>> match.apply(action)
"""

from arena.games.api import Game, IllegalAction, Phase, State
from arena.games.guess import determinise
from arena.games.registry import GAMES, game

__all__ = ["GAMES", "Game", "IllegalAction", "Phase", "State", "determinise", "game"]
