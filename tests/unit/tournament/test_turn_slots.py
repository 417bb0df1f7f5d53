"""A worker opens no more turns than it has cores, whichever matches they belong to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from arena.match.measured import Measured
from arena.match.player import Answer
from arena.sandbox.api import Launch
from arena.sandbox.doubles import FixedSandbox
from arena.tournament import seats
from arena.tournament.seats import FreshStable, SandboxedPlayer, Terms
from arenabot import CLAIM
from arenabot.anygame import AnyEvent, AnyPrompt
from arenabot.bots import MatchInfo
from tests.contract.players.conftest import Table, info


class Counted:
    """Takes the place of a remote player, and counts how many are asked at once."""

    open = most = 0

    def __init__(self, *_: object, **__: object) -> None:
        """Talk to nobody."""

    async def start(self, match_id: str, info: MatchInfo, seconds: float) -> None:
        """It is there."""

    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        Counted.open += 1
        Counted.most = max(Counted.most, Counted.open)
        await asyncio.sleep(0.001)
        Counted.open -= 1
        return Answer(CLAIM, 0.001, Measured(None, 0.0, 0.0))

    async def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize("cores", [1, 2])
async def test_turns_wait_for_a_core(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six seats are asked at once, as in Claro's common discard: in groups, and all are."""
    monkeypatch.setattr(seats, "RemotePlayer", Counted)
    Counted.most = 0
    terms = Terms(core=asyncio.Semaphore(cores))
    stable = FreshStable(FixedSandbox("unix:/nowhere"))
    players = [SandboxedPlayer(stable, Launch("m", "image", ("bot",)), terms) for _ in range(6)]
    table = Table()
    news: list[Any] = list(table.news())
    for player in players:
        await player.start("m", info(), 1)
    answers = await asyncio.gather(*(player.turn(news, table.prompt, 1) for player in players))
    assert len(answers) == 6
    assert Counted.most == cores
    for player in players:
        await player.close()
