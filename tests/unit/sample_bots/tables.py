"""The sample bots, the games that each plays, and matches between them in this process."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.games import GAMES, game
from arena.match.play import play_match
from arena.match.record import MatchRecord
from arena.match.setup import MatchSetup, SeatInfo
from arena.players.local import LocalPlayer
from arena.submissions.archive import read_submission
from arena.submissions.submission import Submission
from arena.tournament.inprocess import bot_class

SAMPLE_BOTS = Path(__file__).parents[3] / "sample_bots"
NAMES = ("random", "greedy", "counter", "sampler")


def submission(name: str) -> Submission:
    """What is in a sample bot's folder."""
    return read_submission(SAMPLE_BOTS / name)


class Chair(NamedTuple):
    """A bot, a game that it says it plays, and a number of players."""

    bot: str
    game: str
    seats: int

    def __str__(self) -> str:
        return f"{self.bot}-{self.game}-{self.seats}"


CHAIRS = [
    Chair(name, game_id, seats)
    for name in NAMES
    for game_id in submission(name).manifest.games
    for seats in GAMES[game_id].seats
]
every_chair = pytest.mark.parametrize("chair", CHAIRS, ids=str)


def play(game_id: str, names: list[str], seed: int, **options: int) -> MatchRecord:
    """Play one match between these bots, by seat."""
    setup = MatchSetup(
        match_id=f"match-{seed}",
        game=game_id,
        options=game(game_id).options(options),
        seed=seed.to_bytes(32, "big"),
        seats=tuple(SeatInfo(name, "1", "ab" * 32) for name in names),
    )
    players = [LocalPlayer(bot_class(SAMPLE_BOTS / name, "bot.py", game_id)) for name in names]
    return asyncio.run(play_match(setup, players))
