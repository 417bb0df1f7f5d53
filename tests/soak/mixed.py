"""Matches of mixed bots, each replay checked by the verifier and by the separate scorer."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import scorer

from arena.games import GAMES
from arena.match import replay
from arena.match.faults import FaultKind
from arena.match.play import play_match
from arena.match.record import MatchRecord
from arena.match.setup import MatchSetup, SeatInfo
from arena.match.verify import verify
from arena.players.local import LocalPlayer
from arena.tournament.inprocess import bot_class
from arenabot import Bot
from arenabot.options import Options
from tests.soak.careless import CARELESS

SAMPLE_BOTS: Final = Path(__file__).parents[2] / "sample_bots"
STRONG: Final = {"claims": "counter", "claim": "counter", "claro": "sampler"}
#: Claro's matches are too short for anyone to be put out after as many as is usual.
MAX_FAULTS: Final = {"claims": 10, "claim": 10, "claro": 2}
#: What a careless bot may be charged with.
EXPECTED: Final = {FaultKind.ILLEGAL, FaultKind.MALFORMED}


class Table(NamedTuple):
    """A game and a number of players."""

    game: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game}-{self.seats}"


TABLES: Final = [Table(known.id, seats) for known in GAMES.values() for seats in known.seats]


@dataclass
class Tally:
    """What was played and checked at one table; times are in seconds of CPU."""

    matches: int = 0
    rounds: int = 0
    turns: int = 0
    faults: int = 0
    #: Seats that were put out for too many faults.
    out: int = 0
    #: How many seats each bot held.
    seats: Counter[str] = field(default_factory=Counter)
    play: float = 0.0
    verify: float = 0.0
    score: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*(getattr(self, name) + getattr(other, name) for name in vars(self)))

    def __str__(self) -> str:
        seats = ", ".join(f"{count} {name}" for name, count in sorted(self.seats.items()))
        return (
            f"{self.matches} matches, {self.rounds} rounds, {self.turns} turns, "
            f"{self.faults} faults, {self.out} seats put out; seats of {seats}; "
            f"played in {self.play:.0f} s, verified in {self.verify:.0f} s, "
            f"scored in {self.score:.0f} s"
        )


def play_and_check(table: Table, numbers: Iterable[int]) -> Tally:
    """Play these matches of a table; ``AssertionError`` for the first that does not hold."""
    return sum((_one(table, number) for number in numbers), Tally())


def _one(table: Table, number: int) -> Tally:
    rng = random.Random(f"{table}|{number}")
    names = rng.choices(["random", "greedy", STRONG[table.game], "careless"], k=table.seats)
    setup = MatchSetup(
        match_id=f"{table}-{number}",
        game=table.game,
        options=_options(table.game, rng) if number % 2 else GAMES[table.game].options(),
        seed=rng.randbytes(32),
        seats=tuple(SeatInfo(name, "1", "ab" * 32) for name in names),
        max_faults=MAX_FAULTS[table.game],
    )
    clock = [time.process_time()]
    players = [LocalPlayer(_bot(name, table.game)) for name in names]
    record = asyncio.run(play_match(setup, players))
    lines = list(replay.unpack(record.replay))
    clock.append(time.process_time())
    _verified(record, lines)
    clock.append(time.process_time())
    _scored(record, lines)
    clock.append(time.process_time())
    _charged(record, names, setup.max_faults)
    play, check, score = (end - start for start, end in pairwise(clock))
    return Tally(
        matches=1,
        rounds=record.rounds,
        turns=record.turns,
        faults=sum(len(seat.faults) for seat in record.seats),
        out=sum(seat.out is not None for seat in record.seats),
        seats=Counter(names),
        play=play,
        verify=check,
        score=score,
    )


def _bot(name: str, game_id: str) -> type[Bot]:
    if name == "careless":
        return CARELESS[game_id]
    return bot_class(SAMPLE_BOTS / name, "bot.py", game_id)


def _options(game_id: str, rng: random.Random) -> Options:
    """Options within their bounds, such that every kind of end comes up."""
    if game_id == "claro":
        return GAMES[game_id].options()
    given: dict[str, Any] = {
        "stall_laps": rng.randint(1, 20),
        "max_rounds": rng.choice([1, 3, 500]),
    }
    if game_id == "claims":
        given |= {"target": rng.choice([150, 300]), "max_laps": rng.choice([2, 10, 500])}
    else:
        given |= {"target": rng.randint(50, 400), "claim_laps": rng.randint(0, 10)}
        given |= {"max_laps": given["claim_laps"] + rng.randint(2, 100)}
    return GAMES[game_id].options(given)


def _verified(record: MatchRecord, lines: list[replay.Line]) -> None:
    verdict = verify(lines)
    assert verdict.holds, (record.match_id, verdict)
    assert verdict.result == record.result, record.match_id
    assert verdict.digest == record.digest, record.match_id


def _scored(record: MatchRecord, lines: list[replay.Line]) -> None:
    verdict = scorer.score(lines)
    assert verdict.ok, (record.match_id, verdict)
    derived = (tuple(verdict.totals), tuple(verdict.ranks or ()), tuple(verdict.winners or ()))
    result = record.result
    assert derived == (result.totals, result.ranks, result.winners), record.match_id
    assert verdict.rounds == record.rounds, record.match_id


def _charged(record: MatchRecord, names: list[str], max_faults: int) -> None:
    """Only careless bots are charged with anything, and with nothing but what they do."""
    for name, seat in zip(names, record.seats, strict=True):
        kinds = {fault.kind for fault in seat.faults}
        assert kinds <= (EXPECTED if name == "careless" else set()), (record.match_id, seat)
        assert (seat.out is None) == (len(seat.faults) <= max_faults), (record.match_id, seat)
