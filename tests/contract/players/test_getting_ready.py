"""What a remote player makes of a bot that is slow to get ready, never does, or is no bot."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic

import pytest
from grpc_health.v1.health_pb2 import HealthCheckResponse

from arena.match.faults import FaultKind, PlayerGone
from arena.players.remote import RemotePlayer
from arenabot import CLAIM
from tests.contract.players.conftest import Table, info, serving
from tests.contract.players.hostile import listening, playing, raw

pytestmark = pytest.mark.asyncio(loop_scope="session")

LONG = 5.0
BOTS = Path(__file__).with_name("bots.py")
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture
def servers_here() -> bool:
    """They do."""
    return True


async def not_started(address: str, seconds: float = 0.4) -> PlayerGone:
    """How a player is lost that never gets ready."""
    began = monotonic()
    with pytest.raises(PlayerGone) as caught:
        async with playing(address, start=seconds):
            pass
    assert monotonic() - began < seconds + 2
    return caught.value


# --- getting ready


async def test_it_waits_for_a_bot_that_starts_slowly() -> None:
    """Within the start timer, NOT_SERVING is only a matter of time."""
    async with listening(status=HealthCheckResponse.NOT_SERVING) as (address, health):
        later = asyncio.create_task(asyncio.sleep(0.3))
        later.add_done_callback(
            lambda _: asyncio.ensure_future(health.set("", HealthCheckResponse.SERVING))
        )
        table = Table()
        async with playing(address) as player:
            assert later.done()
            assert (await player.turn(table.news(), table.prompt, LONG)).action == CLAIM


async def test_a_bot_that_listens_late_is_found_at_once() -> None:
    """A first try that came too early does not cost a second's back-off."""
    with serving(BOTS) as bot:
        path = bot.address.removeprefix("unix:")
        os.rename(path, f"{path}.hidden")  # noqa: PTH104 - no Path in a coroutine, says ASYNC240
        remote = RemotePlayer(bot.address)
        start = asyncio.create_task(remote.start("m", info(), LONG))
        await asyncio.sleep(0.3)
        os.rename(f"{path}.hidden", path)  # noqa: PTH104
        began = monotonic()
        await start
        await remote.close()
    assert monotonic() - began < 0.5


async def test_a_bot_that_never_gets_ready_never_started() -> None:
    """With what its health service said last."""
    async with listening(status=HealthCheckResponse.NOT_SERVING) as (address, _):
        lost = await not_started(address)
    assert lost.kind is FaultKind.NEVER_STARTED
    assert lost.detail == (
        "was not ready after 0.4 s: its health service says NOT_SERVING instead of SERVING"
    )


async def test_nobody_there_is_never_started() -> None:
    """An address where nothing listens."""
    lost = await not_started("unix:/nobody/listens")
    assert lost.kind is FaultKind.NEVER_STARTED
    assert lost.detail == "was not ready after 0.4 s: nothing answers at its address"


async def test_a_bot_without_a_health_service_is_told_so_at_once() -> None:
    """To wait would not help."""
    async with listening(status=None) as (address, _):
        began = monotonic()
        lost = await not_started(address, LONG)
    assert monotonic() - began < LONG / 2
    assert lost.kind is FaultKind.PROTOCOL
    assert lost.detail == "it does not serve grpc.health.v1.Health"


async def test_a_bot_that_died_while_starting_is_not_waited_for() -> None:
    """Its host knows, and is asked before the timer ends."""

    async def diagnose() -> PlayerGone | None:
        return PlayerGone(FaultKind.CRASHED, "exited with 1")

    began = monotonic()
    with pytest.raises(PlayerGone, match="exited with 1") as caught:
        async with playing("unix:/nobody/listens", diagnose=diagnose, start=LONG):
            pass
    assert caught.value.kind is FaultKind.CRASHED
    assert monotonic() - began < LONG / 2


# --- no gRPC


async def _garbage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(os.urandom(4096))
    await writer.drain()
    await reader.read()


async def _silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def _hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def _http(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    await writer.drain()
    await reader.read()


@pytest.mark.parametrize("talk", [_garbage, _silence, _hang_up, _http])
async def test_what_is_no_grpc_never_starts(talk: Talk) -> None:
    """Garbage, silence, an open door, another protocol: a fault when the start timer ends."""

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await talk(reader, writer)
        except ConnectionError:
            pass
        finally:
            writer.close()

    async with raw(one) as address:
        lost = await not_started(address)
    assert lost.kind is FaultKind.NEVER_STARTED
    assert "\n" not in lost.detail
