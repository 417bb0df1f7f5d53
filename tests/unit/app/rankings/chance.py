"""Results of matches that nobody has played, by chance."""

from __future__ import annotations

import random
from dataclasses import replace

from arena.store import MAX_ATTEMPTS, Store, StoredMatch, Tournament
from arena.store.testing import new_result, replay_of


def play(store: Store, tournament: Tournament, match: StoredMatch, chance: random.Random) -> None:
    """Record some result of a match, or spoil it until it is given up."""
    if chance.random() < 0.02:
        for attempt in range(1, MAX_ATTEMPTS + 1):
            store.record_void(tournament.id, match.id, attempt, reason="SANDBOX", detail="died")
        return
    new = new_result(match)
    ranks = list(range(1, len(match.seating) + 1))
    chance.shuffle(ranks)
    seats = zip(new.seats, ranks, strict=True)
    told = tuple(replace(seat, rank=rank, luck=chance.gauss(0, 1)) for seat, rank in seats)
    store.record_result(tournament.id, replace(new, seats=told), replay_of(match))
