"""A store as full as an arena's may get: bots, tournaments and results by bulk insert.

    python -m benches._crowded FOLDER [--bots 10000] [--matches 1000000] [--seed 1]

Equal arguments make equal rows. Every result is that of a simulated match, drawn from strengths
that its bots keep; the replays are real ones, one for each game and table size, which all results
of that kind share. ARENA_DATABASE chooses PostgreSQL, as for every store.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from sqlalchemy import insert
from sqlalchemy.orm import Session

from arena.games import game
from arena.match.play import play_match
from arena.match.replay import ENGINE
from arena.match.setup import MatchSetup, SeatInfo
from arena.players.local import LocalPlayer
from arena.schedule import Block
from arena.store import BlobKey, Store
from arena.store.blobs import BlobFolder
from arena.store.database import Database
from arena.store.opening import chosen_database
from arena.store.schema import (
    Base,
    BotRow,
    EntryRow,
    MatchRow,
    ResultRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from arena.tournament.job import match_id
from benches.fairness.bots import variant

_BATCH: Final = 5_000
"""Rows of results that go in at once."""
_EPOCH: Final = datetime(2026, 1, 1, tzinfo=UTC)
_CUPS: Final = 40
"""Small tournaments beside the large ones, of so many bots..."""
_CUP_FIELD: Final = 12
_CUPS_SHARE: Final = 0.02
"""... and their share of all matches."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A tournament of the plan; shares are of all matches and of all bots."""

    name: str
    game: str
    size: int
    matches: float
    field: float
    #: How much of its schedule is played.
    played: float = 1.0


_LARGE: Final = (
    Kind("claims open", "claims", 4, 0.33, 0.60),
    Kind("claims duels", "claims", 2, 0.06, 0.05),
    Kind("claims full tables", "claims", 6, 0.05, 0.05),
    Kind("claim open", "claim", 4, 0.24, 0.40),
    Kind("claim threes", "claim", 3, 0.05, 0.03),
    Kind("claim full tables", "claim", 8, 0.04, 0.04),
    Kind("claro open", "claro", 4, 0.14, 0.30),
    Kind("claro threes", "claro", 3, 0.03, 0.03),
    Kind("claro fives", "claro", 5, 0.02, 0.02),
    Kind("claims league", "claims", 4, 0.02, 0.04, played=0.5),
)
"""Every bot meets some thousand others, as in an arena that has been open for years."""

_TIES: Final = {"claims": 0.005, "claim": 0.001, "claro": 0.18}
_FAULTS: Final = ("TIMEOUT", "ILLEGAL", "MALFORMED")


@dataclass(frozen=True, slots=True)
class Crowd:
    """How large the store is to be."""

    bots: int = 10_000
    matches: int = 1_000_000
    seed: int = 1


def fill(folder: Path, crowd: Crowd) -> None:
    """Make the store in `folder`, which must be a new one."""
    Store.open(folder).close()
    blobs = BlobFolder(folder / "blobs")
    with closing(Database(chosen_database(folder), folder, busy_timeout=30)) as database:
        _Filling(database, blobs, crowd).fill()


class _Filling:
    """One store that is being filled."""

    def __init__(self, database: Database, blobs: BlobFolder, crowd: Crowd) -> None:
        self._database = database
        self._blobs = blobs
        self._crowd = crowd
        self._chance = random.Random(crowd.seed)
        self._strengths = [self._chance.gauss(0, 1) for _ in range(crowd.bots)]
        #: The newest version of each bot.
        self._versions: list[int] = []
        self._log = blobs.put(b"ready\n")

    def fill(self) -> None:
        with self._database.write() as session:
            if session.connection().dialect.name == "sqlite":
                session.connection().exec_driver_sql("PRAGMA cache_size = -262144")
            self._bots(session)
        kinds = {(kind.game, kind.size) for kind in _LARGE}
        replays = {each: self._blobs.put(_replay(*each)) for each in sorted(kinds)}
        for number, kind in enumerate(self._plan(), 1):
            self._tournament(number, kind, replays[kind.game, kind.size])

    def _plan(self) -> Iterator[Kind]:
        """The newest one last: it is being played."""
        *before, newest = _LARGE
        yield from before
        for cup in range(_CUPS):
            game = ("claims", "claim", "claro")[cup % 3]
            share = _CUP_FIELD / self._crowd.bots
            yield Kind(f"{game} cup {cup + 1}", game, 4, _CUPS_SHARE / _CUPS, share)
        yield newest

    def _bots(self, session: Session) -> None:
        archive = self._blobs.put(b"archive")
        bots: list[dict[str, Any]] = []
        versions: list[dict[str, Any]] = []
        for at in range(self._crowd.bots):
            name = f"{('brisk', 'calm', 'keen', 'sly', 'wry')[at % 5]}-{at:05}"
            bots.append({"id": at + 1, "name": name, "author": f"author{at % 1200:04}"})
            for number in range(1, self._chance.choice((2, 2, 3, 4))):
                versions.append(
                    {
                        "id": len(versions) + 1,
                        "bot_id": at + 1,
                        "number": number,
                        "label": None,
                        "digest": hashlib.sha256(f"{name}:{number}".encode()).hexdigest(),
                        "games": ["claims", "claim", "claro"],
                        "runtime": "python",
                        "entrypoint": "bot.py",
                        "archive": archive,
                        "created": _EPOCH + timedelta(minutes=at),
                    }
                )
            self._versions.append(len(versions))
        _add(session, BotRow, bots)
        _add(session, VersionRow, versions)

    def _tournament(self, number: int, kind: Kind, replay: BlobKey) -> None:
        wanted = self._crowd.matches * kind.matches
        blocks = max(2, round(wanted / kind.size))
        field = max(kind.size, min(self._crowd.bots, round(self._crowd.bots * kind.field)))
        bots = self._chance.sample(range(self._crowd.bots), field)
        seed = hashlib.sha256(f"{self._crowd.seed}|{number}".encode()).digest()
        with self._database.write() as session:
            _add(session, TournamentRow, [_set_up(number, kind, blocks, seed)])
            _add(
                session,
                EntryRow,
                [
                    {"tournament_id": number, "position": at, "version_id": self._versions[bot]}
                    for at, bot in enumerate(bots)
                ],
            )
        played = round(blocks * kind.played)
        for start in range(0, blocks, _BATCH // kind.size):
            these = range(start, min(blocks, start + _BATCH // kind.size))
            matches, results, seats = [], [], []
            for block, order in zip(these, self._tables(bots, kind.size, these), strict=True):
                for rotation, seating in enumerate(Block(block, order).seatings()):
                    place = {"tournament_id": number, "block": block, "rotation": rotation}
                    id_ = match_id(seed, block, rotation)
                    matches.append({**place, "id": id_, "seating": list(seating)})
                    if block < played:
                        result, of_seats = self._played(kind, [bots[each] for each in seating])
                        results.append({**place, "replay": replay, **result})
                        seats += [
                            {**place, "seat": seat, "entry": entry, **told}
                            for seat, (entry, told) in enumerate(
                                zip(seating, of_seats, strict=True)
                            )
                        ]
            with self._database.write() as session:
                _add(session, MatchRow, matches)
                _add(session, ResultRow, results)
                _add(session, SeatRow, seats)

    def _tables(self, bots: Sequence[int], size: int, blocks: range) -> Iterator[tuple[int, ...]]:
        """A table for each block: everybody as often as everybody else, in ever new orders."""
        a_round = len(bots) // size
        order: list[int] = []
        for block in blocks:
            drawn, at = divmod(block, a_round)
            if at == 0 or not order:
                order = list(range(len(bots)))
                random.Random(f"{self._crowd.seed}|{len(bots)}|{drawn}").shuffle(order)
            yield tuple(order[at * size : (at + 1) * size])

    def _played(
        self, kind: Kind, bots: Sequence[int]
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """How a match ended, and how for each seat."""
        chance = self._chance
        luck = [chance.gauss(0, 0.3) for _ in bots]
        shown = [
            0.3 * self._strengths[bot] + lucky + chance.gauss(0, 1)
            for bot, lucky in zip(bots, luck, strict=True)
        ]
        if chance.random() < _TIES[kind.game]:
            shown[0] = shown[-1]
        ranks = [1 + sum(other > mine for other in shown) for mine in shown]
        charged = [round(chance.lognormvariate(2, 1), 3) for _ in bots]
        turns = chance.randrange(40, 1200)
        result = {
            "reason": "stars" if kind.game == "claro" else "target",
            "rounds": 1 + turns // 30,
            "turns": turns,
            "replay_digest": f"{chance.getrandbits(256):064x}",
            "recorded_at": _EPOCH + timedelta(seconds=chance.randrange(20_000_000)),
            "measured": {"seconds": 0.4, "slowest_ms": charged},
        }
        return result, [
            {
                "rank": rank,
                "total": 60 * rank + chance.randrange(50),
                "faults": [[1, 2, chance.choice(_FAULTS)]] if chance.random() < 0.02 else [],
                "outcome": "PLAYED",
                "detail": "Your bot played to the end.",
                "charged_ms": 30 * slowest,
                "peak_memory": 20 << 20,
                "log": self._log if chance.random() < 0.1 else None,
                "luck": lucky,
            }
            for rank, slowest, lucky in zip(ranks, charged, luck, strict=True)
        ]


def _set_up(number: int, kind: Kind, blocks: int, seed: bytes) -> dict[str, Any]:
    return {
        "id": number,
        "name": kind.name,
        "game": kind.game,
        "options": {},
        "table_size": kind.size,
        "blocks": blocks,
        "seed": seed,
        "seed_hash": hashlib.sha256(seed).hexdigest(),
        "timers": {"turn": 20.0, "ready": 60.0, "start": 10.0, "budget": 600.0},
        "max_faults": 10,
        "sandbox": "docker",
        "isolation": "match",
        "ponder": "freeze",
        "engine": ENGINE,
        "created": _EPOCH + timedelta(days=number),
        "organiser": f"author{number:04}",
        "private": False,
        "entry_open": False,
    }


def _add(session: Session, rows: type[Base], told: Sequence[Mapping[str, Any]]) -> None:
    if told:
        session.connection().execute(insert(rows), told)


def _replay(game_id: str, size: int) -> bytes:
    """A real one."""
    setup = MatchSetup(
        match_id=f"{game_id}-{size}",
        game=game_id,
        options=game(game_id).options(),
        seed=bytes(32),
        seats=(SeatInfo("greedy", "1", "ab" * 32),) * size,
    )
    players = [LocalPlayer(variant("greedy", game_id)) for _ in range(size)]
    return asyncio.run(play_match(setup, players)).replay


def main() -> None:
    """Fill the store that the command line asks for."""
    parser = argparse.ArgumentParser(prog="benches._crowded", description="Fill a new store.")
    parser.add_argument("folder", type=Path)
    for name, default in (("bots", 10_000), ("matches", 1_000_000), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    began = time.monotonic()
    fill(asked.folder, Crowd(asked.bots, asked.matches, asked.seed))
    print(f"{asked.folder}: filled in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
