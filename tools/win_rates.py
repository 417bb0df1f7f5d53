"""How often a sample bot wins at a table full of another one, from duplicate matches.

    python tools/win_rates.py                 the tables of docs/7-sample-bots.md; takes a while
    python tools/win_rates.py counter greedy --game claims --seats 4 --blocks 50

A block is the n matches of a table of n on the same deals, so that the one bot holds every seat's
cards once. Blocks have independent deals: the intervals come from how much blocks differ.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, variance

from arena.games import GAMES, game
from arena.match.play import play_match
from arena.match.setup import MatchSetup, SeatInfo
from arena.players.local import LocalPlayer
from arena.schedule import Block
from arena.tournament.inprocess import NoBotFound, bot_class
from arena.tournament.job import match_seed

SAMPLE_BOTS = Path(__file__).resolve().parent.parent / "sample_bots"
#: Two-sided, for 95 %.
Z = 1.96


@dataclass(frozen=True, slots=True)
class Contest:
    """One bot against a table full of another."""

    game: str
    bot: str
    against: str
    seats: int = 0
    #: 32 bytes: equal seeds give equal matches.
    seed: bytes = bytes(32)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What share of its matches the one bot won; a shared win counts as its part."""

    matches: int
    share: float
    #: The 95 % interval of ``share``.
    low: float
    high: float


#: The page's contests, at every number of players: the strong bot of each game, and the next best.
PAGE = (
    Contest("claims", "counter", "greedy"),
    Contest("claims", "greedy", "random"),
    Contest("claim", "counter", "greedy"),
    Contest("claim", "greedy", "random"),
    Contest("claro", "sampler", "greedy"),
    Contest("claro", "greedy", "random"),
)
#: So many matches at least are behind every line of the page.
MATCHES = 1000


class WentWrong(Exception):
    """A sample bot did something wrong, which none of them may; the text says which and what."""


def main() -> int:
    """Print a table; 1 if a bot did anything wrong."""
    wanted = _arguments()
    print("| game | players | bot | against | share of wins | 95 % | fair | matches |")
    print("|---|---|---|---|---|---|---|---|")
    # Spawned, so that each process is the same whatever this one has loaded.
    with ProcessPoolExecutor(wanted.processes, mp_context=get_context("spawn")) as pool:
        for contest in _contests(wanted):
            blocks = wanted.blocks or math.ceil(MATCHES / contest.seats)
            try:
                shares = list(pool.map(play_block, repeat(contest, blocks), range(blocks)))
            except WentWrong as error:
                print(error, file=sys.stderr)
                return 1
            print(_row(contest, outcome(shares, contest.seats)), flush=True)
    return 0


def _contests(wanted: argparse.Namespace) -> Iterator[Contest]:
    chosen = [Contest(wanted.game, wanted.bot, wanted.against)] if wanted.bot else PAGE
    for contest in chosen:
        for seats in wanted.seats or GAMES[contest.game].seats:
            yield replace(contest, seats=seats, seed=wanted.seed.to_bytes(32, "big"))


def play_block(contest: Contest, number: int) -> float:
    """Play one block; what share of its matches did the one bot win?"""
    return asyncio.run(_play_block(contest, number))


async def _play_block(contest: Contest, number: int) -> float:
    names = [contest.bot, *repeat(contest.against, contest.seats - 1)]
    classes = [bot_class(SAMPLE_BOTS / name, "bot.py", contest.game) for name in names]
    won = 0.0
    for seating in Block(number, tuple(range(contest.seats))).seatings():
        setup = MatchSetup(
            match_id=f"{number}",
            game=contest.game,
            options=game(contest.game).options(),
            seed=match_seed(contest.seed, number),
            seats=tuple(SeatInfo(names[entry], "", "") for entry in seating),
        )
        record = await play_match(setup, [LocalPlayer(classes[entry]) for entry in seating])
        for seat in record.seats:
            if seat.faults:
                raise WentWrong(f"{' '.join(names)}: {seat.faults[0]}\n{seat.log}")
        winners = record.result.winners
        won += (seating.index(0) in winners) / len(winners)
    return won / contest.seats


def outcome(shares: Sequence[float], seats: int) -> Outcome:
    """Put blocks together: Wilson's interval, for as many matches as the blocks are worth.

    That is, for the number of independent matches whose share would vary as much as that of
    these blocks does. (Where all are equal, each counts as one.)
    """
    share, blocks = fmean(shares), len(shares)
    spread = variance(shares) / blocks if blocks > 1 else 0.0
    worth = share * (1 - share) / spread if spread else float(blocks)
    shrink = 1 + Z * Z / worth
    middle = (share + Z * Z / (2 * worth)) / shrink
    half = Z * math.sqrt(share * (1 - share) / worth + (Z / (2 * worth)) ** 2) / shrink
    return Outcome(blocks * seats, share, middle - half, middle + half)


def _row(contest: Contest, found: Outcome) -> str:
    return (
        f"| {game(contest.game).name} | {contest.seats} | {contest.bot} | {contest.against} "
        f"| {found.share:.1%} | {found.low:.1%} to {found.high:.1%} "
        f"| {1 / contest.seats:.1%} | {found.matches} |"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Measure how often a sample bot wins at a table full of another one."
    )
    parser.add_argument("bot", nargs="?", choices=sorted(_bots()))
    parser.add_argument("against", nargs="?", choices=sorted(_bots()))
    parser.add_argument("--game", choices=GAMES, help="which game the two play")
    parser.add_argument("--seats", type=int, nargs="+", help="numbers of players; default: all")
    parser.add_argument("--blocks", type=int, help="default: at least 1000 matches a line")
    parser.add_argument("--seed", type=int, default=0, help="equal seeds give equal tables")
    parser.add_argument("--processes", type=int, default=1)
    wanted = parser.parse_args()
    if not (wanted.bot or wanted.game or wanted.seats):
        return wanted
    if not (wanted.against and wanted.game):
        parser.error("name two bots and their --game, or nothing at all for the page's tables")
    known = game(wanted.game)
    if not set(wanted.seats or ()) <= set(known.seats):
        parser.error(f"{known.name} is played by {known.seats[0]} to {known.seats[-1]} players")
    try:
        for name in (wanted.bot, wanted.against):
            bot_class(SAMPLE_BOTS / name, "bot.py", wanted.game)
    except NoBotFound as error:
        parser.error(str(error))
    return wanted


def _bots() -> Iterator[str]:
    return (folder.name for folder in SAMPLE_BOTS.iterdir() if (folder / "bot.toml").is_file())


if __name__ == "__main__":
    sys.exit(main())
