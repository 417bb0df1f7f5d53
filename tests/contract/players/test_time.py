"""Whose time it was: a player over gRPC with meters that tell what a test wants."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

import pytest
from grpc_health.v1.health_pb2 import HealthCheckResponse

from arena.match.clock import Ourselves
from arena.match.faults import FaultKind, MatchStalled, PlayerFault, PlayerGone
from arena.players.remote import RemotePlayer
from arenabot import CLAIM
from tests.contract.players.conftest import Table, info
from tests.contract.players.hostile import Requests, claim, listening, questions

pytestmark = pytest.mark.asyncio(loop_scope="session")

TURN = 0.3


@pytest.fixture
def servers_here() -> bool:
    """They do."""
    return True


@dataclass
class Starved:
    """The meter of a bot that never runs, and that waits for this share of the time."""

    share: float
    is_held: bool = False

    def cpu(self) -> float:
        return 0.0

    def mark(self) -> float:
        return monotonic()

    def waited(self, mark: float) -> float:
        return self.share * (monotonic() - mark)

    def stopwatch(self) -> Callable[[float], float]:
        return lambda wall: wall * (1 - self.share)

    def held(self) -> bool:
        return self.is_held


class Frozen:
    """The meter of a process that neither runs nor waits."""

    def mark(self) -> None:
        """Nothing."""

    def since(self, _: None) -> tuple[float, float, float]:
        return 0.0, 0.0, 0.0

    def behind(self) -> bool:
        return False


async def late(requests: Requests, _: Any) -> AsyncIterator[bytes]:
    """Answer turns after one and a half times their time."""
    async for request in questions(requests):
        await asyncio.sleep(1.5 * TURN)
        yield claim(request.seq)


async def asked(address: str, meter: Starved, ours: Ourselves | None = None) -> Any:
    """What comes of a turn."""
    player = RemotePlayer(address, meter=meter, ours=ours)
    table = Table()
    try:
        await player.start("m", info(), 5)
        return await player.turn(table.news(), table.prompt, TURN)
    finally:
        await player.close()


async def test_a_bot_that_waited_for_a_cpu_has_longer() -> None:
    """Two thirds of the time were others', so its answer is in time, and costs a third."""
    async with listening(late) as (address, _):
        answer = await asked(address, Starved(2 / 3))
    assert answer.action == CLAIM
    assert answer.seconds < TURN
    assert answer.measured.delay > 0.5 * TURN


async def test_a_bot_that_slept_is_late() -> None:
    """Nobody took anything from it."""
    async with listening(late) as (address, _):
        with pytest.raises(PlayerFault) as caught:
            await asked(address, Starved(0.0))
    assert (caught.value.kind, caught.value.seconds) == (FaultKind.TIMEOUT, TURN)
    assert caught.value.measured is not None


async def test_a_bot_that_is_held_still_by_others_spoils_the_match() -> None:
    """It cannot answer, and it is no fault of its."""
    async with listening(late) as (address, _):
        with pytest.raises(MatchStalled, match="held"):
            await asked(address, Starved(0.0, is_held=True))


async def test_a_process_that_stood_still_spoils_the_match() -> None:
    """Ours did, for half of the bot's time: nobody knows what the bot had of it."""

    async def silent(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        async for request in questions(requests):
            await asyncio.sleep(10 * TURN)
            yield claim(request.seq)

    async with listening(silent) as (address, _):
        turn = asyncio.create_task(asked(address, Starved(0.0), Ourselves(Frozen())))
        await asyncio.sleep(0.2)
        # As when the machine is suspended: nothing runs in this loop.
        time.sleep(0.15)  # noqa: ASYNC251
        with pytest.raises(MatchStalled, match="stood still"):
            await turn


async def test_waiting_does_not_count_into_the_start() -> None:
    """A bot that gets half of the machine has twice as long to get ready."""
    async with listening(status=HealthCheckResponse.NOT_SERVING) as (address, _):
        player = RemotePlayer(address, meter=Starved(0.5))
        began = monotonic()
        with pytest.raises(PlayerGone) as caught:
            await player.start("m", info(), 0.3)
        await player.close()
    assert caught.value.kind is FaultKind.NEVER_STARTED
    assert monotonic() - began >= 0.55


async def test_a_start_has_an_end() -> None:
    """A bot that gets nothing of the machine makes the match void, not itself guilty."""
    async with listening(status=HealthCheckResponse.NOT_SERVING) as (address, _):
        player = RemotePlayer(address, meter=Starved(1.0))
        with pytest.raises(MatchStalled, match="too much to do"):
            await player.start("m", info(), 0.05)
        await player.close()
