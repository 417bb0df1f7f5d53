"""Random legal moves in one engine, ours or a peer's, in a process of its own.

``python -P benches/_playouts.py ENGINE GAME PLAYERS`` writes one line of JSON once it is ready,
and another for each line that it reads, which means: once more.  It runs in the environment of
the engine, so it imports that alone, by name: a peer's environment has nothing of ours.

All engines are used through their public calls, as a bot's author would, with the same choice
between the same kind of lists.  A move is a player's decision; the deal and all other chance
belong to its cost.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from time import process_time
from typing import Any, TypeAlias

#: Plays one match and says how many moves it took.
Playout: TypeAlias = Callable[[random.Random], int]

_SECONDS = 0.1


def _ours(game_id: str, players: int) -> Playout:
    games: Any = import_module("arena.games")
    game = games.game(game_id)
    # As whoever plays ahead should do: until Python 3.12 each use of an enum's member costs a call.
    playing, over = games.Phase.PLAYING, games.Phase.OVER

    def play(rng: random.Random) -> int:
        match = game.new_match(seats=players, seed=rng.randbytes(32))
        moves = 0
        while match.phase is not over:
            if match.phase is playing:
                for seat in match.to_act:
                    match.apply(rng.choice(match.legal_actions(seat)), seat)
                    moves += 1
            else:
                match.next_round()
        return moves

    return play


def _rlcard(game_id: str, players: int) -> Playout:
    table: Any = import_module("rlcard").make(game_id, {"seed": 1})
    assert table.num_players == players

    def play(rng: random.Random) -> int:
        state, _ = table.reset()
        moves = 0
        while not table.is_over():
            state, _ = table.step(rng.choice(list(state["legal_actions"])))
            moves += 1
        return moves

    return play


def _open_spiel(game_id: str, players: int) -> Playout:
    game: Any = import_module("pyspiel").load_game(game_id, {"players": players})

    def play(rng: random.Random) -> int:
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                # Cards come from a shuffled deck: every outcome is as likely as the others.
                outcome, _ = rng.choice(state.chance_outcomes())
                state.apply_action(outcome)
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                moves += 1
        return moves

    return play


#: By the distribution's name.
_ENGINES: dict[str, Callable[[str, int], Playout]] = {
    "claim-arena": _ours,
    "rlcard": _rlcard,
    "open_spiel": _open_spiel,
}


def _sample(play: Playout, rng: random.Random) -> dict[str, float]:
    """The CPU time of a move in us, over whole matches, and the moves of a match."""
    matches = moves = 0
    began = process_time()
    while (spent := process_time() - began) < _SECONDS:
        moves += play(rng)
        matches += 1
    return {"us": spent / moves * 1e6, "moves a match": moves / matches}


def main() -> None:
    """Be ready, then play whenever asked."""
    engine, game_id, players = sys.argv[1:]
    play = _ENGINES[engine](game_id, int(players))
    rng = random.Random(1)
    play(rng)
    print(json.dumps({"version": version(engine)}), flush=True)
    for _ in sys.stdin:
        print(json.dumps(_sample(play, rng)), flush=True)


if __name__ == "__main__":
    main()
