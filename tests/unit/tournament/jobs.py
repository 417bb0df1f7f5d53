"""Jobs for tests: two trusted bots that live in files, played without any sandbox."""

from __future__ import annotations

from pathlib import Path

from arena.tournament.job import Lodging, MatchJob, SeatJob, match_id, match_seed

RANDOM_BOT = """
from arenabot import ClaimsBot, serve

class Bot(ClaimsBot):
    def turn(self, observation):
        return self.rng.choice(observation.legal_actions())

if __name__ == "__main__":
    serve(Bot)
"""

SEED = bytes(range(32))


def write_bot(folder: Path, code: str = RANDOM_BOT) -> Path:
    """A bot's folder with this code in it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.py").write_text(code)
    return folder


def job(*folders: Path, block: int = 0, lodging: Lodging = Lodging.NONE) -> MatchJob:
    """A short match of Claims between the bots in these folders."""
    return MatchJob(
        match_id=match_id(SEED, block, 0),
        game="claims",
        options={"target": 150, "max_rounds": 3},
        seed=match_seed(SEED, block),
        seats=tuple(
            SeatJob(folder.name, "1", "ab" * 32, str(folder), ("python3", "bot.py"))
            for folder in folders
        ),
        lodging=lodging,
    )
