"""Small records for the tests of whatever works on a store."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

from arena.store.records import (
    MatchKey,
    NewMatch,
    NewResult,
    NewTournament,
    NewVersion,
    SeatFault,
    SeatResult,
    StoredMatch,
    Tournament,
)
from arena.store.store import Store


def new_version(bot: str = "greedy", **changes: Any) -> NewVersion:
    """An upload of `bot` by the author ana."""
    version = NewVersion(
        bot=bot,
        author="ana",
        label=None,
        digest=hashlib.sha256(bot.encode()).hexdigest(),
        games=("claims",),
        runtime="python",
        entrypoint="bot.py",
    )
    return replace(version, **changes)


def new_tournament(name: str = "cup", **changes: Any) -> NewTournament:
    """A tournament of two at a table, three blocks."""
    tournament = NewTournament(
        name=name,
        game="claims",
        options={"target": 300},
        table_size=2,
        blocks=3,
        seed=bytes(range(32)),
        timers={"turn": 20.0, "ready": 60.0, "start": 10.0, "budget": 600.0},
        max_faults=10,
        sandbox="process",
        isolation="match",
        engine="1.0",
    )
    return replace(tournament, **changes)


def new_matches(blocks: int = 3, size: int = 2) -> list[NewMatch]:
    """`blocks` blocks of the same `size` entries, the seating rotated within each."""
    return [
        NewMatch(
            key=MatchKey(block, rotation),
            id=f"m{block}-{rotation}",
            seating=tuple((seat + rotation) % size for seat in range(size)),
        )
        for block in range(blocks)
        for rotation in range(size)
    ]


def make_tournament(
    store: Store, name: str = "cup", *, blocks: int = 3, size: int = 2, **changes: Any
) -> Tournament:
    """A tournament of `size` bots in the store, no match played."""
    bots = [store.add_version(new_version(f"bot{i}"), b"archive") for i in range(size)]
    new = new_tournament(name, blocks=blocks, table_size=size, **changes)
    return store.create_tournament(new, bots, new_matches(blocks, size))


def replay_of(match: NewMatch | StoredMatch) -> bytes:
    """Bytes that stand for the match's replay."""
    return f"replay of {match.id}\n".encode() * 50


def logs_of(match: NewMatch | StoredMatch) -> dict[int, bytes]:
    """Bytes that stand for the logs of the match's seats."""
    return {seat: f"{match.id}, seat {seat}\n".encode() for seat in range(len(match.seating))}


def new_result(match: NewMatch | StoredMatch, **changes: Any) -> NewResult:
    """A result in which seat 0 wins and every other seat was late once."""
    seats = tuple(
        SeatResult(
            seat=seat,
            entry=entry,
            rank=seat + 1,
            total=100 * seat,
            faults=(SeatFault(round=1, turn=2, kind="TIMEOUT"),) if seat else (),
            outcome="PLAYED",
            detail="Your bot played to the end.",
            charged_ms=12.5,
            peak_memory=18 << 20,
            luck=0.5 - seat,
        )
        for seat, entry in enumerate(match.seating)
    )
    result = NewResult(
        match_id=match.id,
        reason="target",
        rounds=7,
        turns=160,
        replay_digest=hashlib.sha256(replay_of(match)).hexdigest(),
        seats=seats,
        measured={"seconds": 0.25},
    )
    return replace(result, **changes)
