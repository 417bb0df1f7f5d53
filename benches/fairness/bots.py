"""Real matches of the sample bots and of weaker variants of them, in this process.

`greedy~10` is `greedy` that instead of deciding takes any legal action in 10 of 100 turns, so that
a field has as many strengths as wanted, and every one of them is played, not assumed.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from arena.games import game
from arena.match.play import play_match
from arena.match.replay import ENGINE
from arena.match.setup import MatchSetup, SeatInfo
from arena.players.local import LocalPlayer
from arena.rating import MatchResult
from arena.schedule import Block, plan
from arena.tournament.inprocess import bot_class
from arena.tournament.job import match_seed
from arenabot.bots import Bot, MatchInfo

_SAMPLE_BOTS = Path(__file__).resolve().parents[2] / "sample_bots"
#: A field of several strengths for each game; entries are numbered in this order.
FIELDS = {
    name: (
        best,
        f"{best}~5",
        f"{best}~15",
        f"{best}~40",
        "greedy",
        "greedy~10",
        "greedy~30",
        "random",
    )
    for name, best in (("claims", "counter"), ("claim", "counter"), ("claro", "sampler"))
}
#: Those of them whose order shows in a bench's time: no two are nearly equal.
APART = {
    "claims": ("counter", "counter~5", "counter~15", "greedy~10", "greedy~30", "random"),
    "claim": ("counter", "counter~5", "counter~15", "greedy~10", "greedy~30", "random"),
    "claro": ("sampler", "greedy", "greedy~30", "random"),
}
#: Equals that err independently of each other.
EQUALS = tuple(f"greedy~5~{number}" for number in range(8))
#: All matches are on deals of this seed.
SEED = bytes(32)


@cache
def variant(name: str, played: str) -> type[Bot]:
    """The class of a bot such as `greedy` or `greedy~10` for a game."""
    base, _, more = name.partition("~")
    strong = bot_class(_SAMPLE_BOTS / base, "bot.py", played)
    if not more:
        return strong
    share = int(more.partition("~")[0]) / 100

    def begin(self: Bot, match: MatchInfo) -> None:
        strong.begin(self, match)
        # Of its own, or all variants would err in the same turns of a deal.
        self.erring = random.Random(f"{name}|{match.bot_seed}")  # type: ignore[attr-defined]

    def turn(self: Bot, observation: Any) -> Any:
        if self.erring.random() < share:  # type: ignore[attr-defined]
            return self.erring.choice(observation.legal_actions())  # type: ignore[attr-defined]
        return strong.turn(self, observation)

    return type(f"Weaker{strong.__name__}", (strong,), {"begin": begin, "turn": turn})


def play_block(played: str, names: Sequence[str], block: Block) -> list[MatchResult]:
    """Play the matches of a block; RuntimeError if a bot does anything wrong."""
    return asyncio.run(_play_block(played, names, block))


async def _play_block(played: str, names: Sequence[str], block: Block) -> list[MatchResult]:
    results = []
    for rotation, seating in enumerate(block.seatings()):
        setup = MatchSetup(
            match_id=f"{block.index}",
            game=played,
            options=game(played).options(),
            seed=match_seed(SEED, block.index),
            seats=tuple(SeatInfo(names[entry], "", "") for entry in seating),
        )
        players = [LocalPlayer(variant(names[entry], played)) for entry in seating]
        record = await play_match(setup, players)
        for seat in record.seats:
            if seat.faults:
                raise RuntimeError(f"{names}: {seat.faults[0]}\n{seat.log}")
        ended = record.result
        results.append(
            MatchResult(
                (block.index, rotation),
                seating,
                tuple(ended.ranks),
                tuple(ended.totals),
                (0,) * len(seating),
                tuple(seat.luck for seat in record.seats),
            )
        )
    return results


def pool(
    played: str,
    names: Sequence[str],
    table_size: int,
    blocks: int,
    folder: Path,
    *,
    processes: int = 1,
) -> list[list[MatchResult]]:
    """The first blocks of the schedule of a field, played now or, once played, read.

    `folder` keeps them, for as long as bots and rules stay the same: what is missing is played.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{played}-{table_size}-{_digest(names)}.jsonl"
    kept = [*_kept(file)][:blocks]
    wanted = plan(len(names), table_size, blocks=blocks, seed=SEED).blocks[len(kept) :]
    if wanted:
        # Spawned, so that each process is the same whatever this one has loaded.
        with (
            ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as workers,
            file.open("a", encoding="utf-8") as out,
        ):
            for results in workers.map(play_block, repeat(played), repeat(names), wanted):
                out.write(f"{json.dumps([_line(one) for one in results])}\n")
                out.flush()
                kept.append(results)
    return kept


def _digest(names: Sequence[str]) -> str:
    """What a field's matches depend on: who they are, their code, and the rules."""
    bases = sorted({name.partition("~")[0] for name in names})
    code = [(_SAMPLE_BOTS / base / "bot.py").read_bytes() for base in bases]
    told = [ENGINE.encode(), *(name.encode() for name in names), *code]
    return hashlib.sha256(b"\0".join(told)).hexdigest()[:8]


def _kept(file: Path) -> Iterator[list[MatchResult]]:
    if file.exists():
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
            yield [_result(number, rotation, one) for rotation, one in enumerate(json.loads(line))]


def _line(result: MatchResult) -> list[Iterable[int]]:
    return [result.entries, result.ranks, result.points]


def _result(block: int, rotation: int, line: list[list[int]]) -> MatchResult:
    entries, ranks, points = map(tuple, line)
    return MatchResult((block, rotation), entries, ranks, points, (0,) * len(entries))
