"""How fast the rules are: matches of random legal moves, nobody else in the way."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator
from time import perf_counter

from arena.games import GAMES, Phase
from benches._harness import Row, Table

_PLAYERS = (2, 4, 7)
_MATCHES = 30


def bench() -> Iterator[Table]:
    """One table a game."""
    for id_ in GAMES:
        yield Table(
            f"engine: {id_}, random legal moves",
            "us a move",
            [_row(id_, seats) for seats in _PLAYERS if seats in GAMES[id_].seats],
        )


def _row(id_: str, seats: int) -> Row:
    chance = random.Random(1)  # noqa: S311 - any moves will do
    costs, moves = [], []
    for number in range(_MATCHES):
        seconds, played = _play(id_, seats, number.to_bytes(32), chance)
        costs.append(seconds / played * 1e6)
        moves.append(played)
    median = statistics.median(costs)
    more = {"moves a second": 1e6 / median, "moves a match": statistics.median(moves)}
    return Row(f"{seats} players", median, len(costs), more=more)


def _play(id_: str, seats: int, seed: bytes, chance: random.Random) -> tuple[float, int]:
    match = GAMES[id_].new_match(seats=seats, seed=seed)
    moves = 0
    began = perf_counter()
    while match.phase is not Phase.OVER:
        if match.phase is Phase.PLAYING:
            for seat in match.to_act:
                match.apply(chance.choice(match.legal_actions(seat)), seat)
                moves += 1
        else:
            match.next_round()
    return perf_counter() - began, moves
