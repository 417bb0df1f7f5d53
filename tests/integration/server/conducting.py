"""Tournaments of trusted bots for a conductor to play, and waiting for what it does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from arena.app.conducting.conductor import Conductor
from arena.app.tournaments import setting_up
from arena.app.tournaments.setting_up import Plan
from arena.store import Progress, Store, Tournament
from arena.tournament.job import Lodging
from tests.unit.tournament.jobs import write_bot

#: Seconds for anything that a test waits for, on a busy machine.
PATIENCE = 100.0

RANDOM_BOT = """
from arenabot import ClaimsBot, serve

class Bot(ClaimsBot):
    def turn(self, observation):
        return self.rng.choice(observation.legal_actions())

serve(Bot)
"""

#: Waits before each turn as long as the file GATE is there.
HELD_BOT = """
import time
from pathlib import Path
from arenabot import ClaimsBot, serve

GATE = Path({gate!r})

class Bot(ClaimsBot):
    def turn(self, observation):
        while GATE.exists():
            time.sleep(0.01)
        return self.rng.choice(observation.legal_actions())

serve(Bot)
"""


def bot(folder: Path, name: str, code: str = RANDOM_BOT) -> str:
    """Write a bot that can be entered."""
    here = write_bot(folder / name, code)
    (here / "bot.toml").write_text(
        f'name = "{name}"\ngames = ["claims"]\nruntime = "python"\nentrypoint = "bot.py"\n'
    )
    return str(here)


def held_bot(folder: Path, name: str, gate: Path) -> str:
    """Write a bot that makes no move while `gate` is there."""
    return bot(folder, name, HELD_BOT.format(gate=str(gate)))


def let_go(gate: Path) -> None:
    """Let held bots move on."""
    gate.unlink()


def cup(
    store: Store,
    bots: list[str],
    *,
    name: str = "cup",
    blocks: int = 2,
    seed: bytes = bytes(32),
    lodging: Lodging = Lodging.PROCESS,
    until_clear: float | None = None,
    private: bool = False,
) -> Tournament:
    """Set a tournament of short matches up."""
    wanted = Plan(
        name=name,
        game="claims",
        options={"target": 150, "max_rounds": 2},
        blocks=blocks,
        seed=seed,
        lodging=lodging,
        trusted=lodging is Lodging.PROCESS,
        until_clear=until_clear,
        private=private,
    )
    return setting_up.create(store, wanted, bots).tournament


@asynccontextmanager
async def conducting(store: Store, *, workers: int = 1) -> AsyncIterator[Conductor]:
    """A conductor that has started."""
    conductor = Conductor(store, workers=workers)
    await conductor.start()
    try:
        yield conductor
    finally:
        await conductor.close()


async def until(true: Callable[[], object]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - the store says nothing by itself
            await asyncio.sleep(0.01)


async def until_done(conductor: Conductor, store: Store, *played: Tournament) -> list[Progress]:
    """Wait until these tournaments have ended, and say how."""
    await until(lambda: not any(conductor.playing(each.id).wanted for each in played))
    return [store.progress(each.id) for each in played]


def digests(store: Store, tournament: Tournament) -> list[tuple[str, str]]:
    """What was played: equal for equal deals and deterministic bots."""
    return [(result.match_id, result.replay_digest) for result in store.results(tournament.id)]
