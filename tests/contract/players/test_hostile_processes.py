"""What a remote player makes of a bot that dies, floods, or neither reads nor ends."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from arena.match.faults import FaultKind, MatchVoid, PlayerFault, PlayerGone
from arena.players import stream
from arena.players.remote import RemotePlayer
from arenabot.events import MatchReason, Result
from tests.contract.players.bots import NAP, Script
from tests.contract.players.conftest import Table, info, serving
from tests.contract.players.hostile import (
    Requests,
    claim,
    listening,
    playing,
    questions,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

LONG = 5.0
BOTS = Path(__file__).with_name("bots.py")


@pytest.fixture
def servers_here() -> bool:
    """They do."""
    return True


# --- dying


async def test_a_process_that_dies_in_a_turn_has_crashed() -> None:
    """The turn ends there and then, not with its timer."""
    with serving(BOTS) as bot:
        remote = RemotePlayer(bot.address)
        await remote.start("m", info(Script.SLEEP_IN_FIRST_TURN), LONG)
        table = Table()
        turn = asyncio.create_task(remote.turn(table.news(), table.prompt, LONG))
        await asyncio.sleep(0.2)
        bot.process.kill()
        began = monotonic()
        with pytest.raises(PlayerGone, match="the connection broke off") as caught:
            await turn
        await remote.close()
    assert caught.value.kind is FaultKind.CRASHED
    assert 0.1 < caught.value.seconds < LONG
    assert monotonic() - began < 1


async def test_the_host_gets_a_moment_to_learn_how_a_process_ended() -> None:
    """A connection breaks before an engine knows of an exit: it is asked again."""
    answers = iter([None, PlayerGone(FaultKind.OUT_OF_MEMORY, "used 256 MiB")])

    async def diagnose() -> PlayerGone | None:
        return next(answers)

    with serving(BOTS) as bot:
        remote = RemotePlayer(bot.address, diagnose=diagnose)
        await remote.start("m", info(), LONG)
        bot.process.kill()
        table = Table()
        with pytest.raises(PlayerGone) as caught:
            await remote.turn(table.news(), table.prompt, LONG)
        await remote.close()
    assert (caught.value.kind, caught.value.detail) == (FaultKind.OUT_OF_MEMORY, "used 256 MiB")


async def test_a_bot_that_leaves_by_exit_has_crashed() -> None:
    """``sys.exit`` in a turn ends the bot's program."""
    with serving(BOTS) as bot:
        remote = RemotePlayer(bot.address)
        await remote.start("m", info(Script.EXIT_IN_TURN), LONG)
        table = Table()
        with pytest.raises(PlayerGone) as caught:
            await remote.turn(table.news(), table.prompt, LONG)
        await remote.close()
        assert bot.process.wait(5) == 3
    assert caught.value.kind is FaultKind.CRASHED


async def test_a_frozen_process_times_out_and_comes_back() -> None:
    """A stopped process answers nothing; once it goes on, its late answer is dropped."""
    with serving(BOTS) as bot:
        remote = RemotePlayer(bot.address)
        await remote.start("m", info(), LONG)
        table = Table()
        await remote.turn(table.news(), table.prompt, LONG)
        bot.process.send_signal(signal.SIGSTOP)
        table.lap()
        with pytest.raises(PlayerFault, match="no answer within") as caught:
            await remote.turn(table.news(), table.prompt, 0.1)
        assert not isinstance(caught.value, PlayerGone)
        bot.process.send_signal(signal.SIGCONT)
        table.lap()
        answer = await remote.turn(table.news(), table.prompt, LONG)
        assert answer.action == table.state.legal_actions()[-1]
        await remote.close()


async def test_a_bot_keeps_the_last_word_on_its_own_error() -> None:
    """Also where gRPC notices the stream's end only by our next message."""
    with serving(BOTS) as bot:
        remote = RemotePlayer(bot.address)
        await remote.start("m", info(Script.RAISE_IN_START), LONG)
        _stall(0.2)
        table = Table()
        with pytest.raises(PlayerGone, match="ValueError: no start"):
            await remote.turn(table.news(), table.prompt, LONG)
        await remote.close()


# --- not reading, flooding, not ending


async def test_a_bot_that_reads_nothing_is_hung_up_on() -> None:
    """Its window fills up, and then a message cannot be handed over; the wait has its end."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        await asyncio.sleep(60)
        yield b""

    table = Table()
    news = list(table.news()) * 6_000
    small = [("grpc.http2.bdp_probe", 0)]
    began = monotonic()
    async with listening(play, options=small) as (address, _), playing(address) as player:
        with pytest.raises(PlayerGone, match="does not read its messages") as caught:
            await player.turn(news, table.prompt, 0.2)
    assert monotonic() - began < 3
    assert caught.value.kind is FaultKind.PROTOCOL


FLOODER = """
import asyncio, os, grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health import aio as health

async def play(requests, context):
    async for _ in requests:
        while True:
            await context.write(b"\\x08\\x00" + b"\\x9a\\x06\\xa0\\x9c\\x01" + b"x" * 20000)

async def main():
    server = grpc.aio.server()
    health_pb2_grpc.add_HealthServicer_to_server(health.HealthServicer(), server)
    handler = grpc.stream_stream_rpc_method_handler(play)
    service = grpc.method_handlers_generic_handler("arenabot.v1.PlayerService", {"Play": handler})
    server.add_generic_rpc_handlers((service,))
    server.add_insecure_port(os.environ["ARENABOT_ADDRESS"])
    await server.start()
    await server.wait_for_termination()

asyncio.run(main())
"""


def resident() -> float:
    """This process's memory in MiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20


async def test_memory_stays_flat_under_a_flood(tmp_path: Path) -> None:
    """Ten matches that are flooded with large messages from their start leave nothing behind."""
    program = tmp_path / "flooder.py"
    program.write_text(FLOODER)
    with serving(program) as bot:

        async def flooded() -> None:
            remote = RemotePlayer(bot.address)
            await remote.start("m", info(), LONG)
            await asyncio.sleep(0.3)
            with pytest.raises(PlayerGone, match="nobody had asked for"):
                await remote.turn([], Table().prompt, LONG)
            await remote.close()

        await flooded()
        before = resident()
        for _ in range(10):
            await flooded()
        assert resident() - before < 8


async def test_a_bot_that_will_not_end_is_not_waited_for() -> None:
    """It gets a moment to hear the result, and then the stream is closed."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        async for request in questions(requests):
            yield claim(request.seq)
        await asyncio.sleep(60)

    table = Table()
    async with listening(play) as (address, _):
        async with playing(address) as player:
            await player.turn(table.news(), table.prompt, LONG)
            began = monotonic()
            await player.end([], Result(MatchReason.TARGET, (0, 301), (1, 2)))
        assert monotonic() - began < stream._LAST_WORDS + 0.5


async def test_a_bot_may_take_a_moment_to_hear_the_result() -> None:
    """It can still write its log, before the connection is closed."""
    heard = asyncio.Event()

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        async for request in questions(requests):
            yield claim(request.seq)
        await asyncio.sleep(stream._LAST_WORDS / 3)
        heard.set()

    table = Table()
    async with listening(play) as (address, _), playing(address) as player:
        await player.turn(table.news(), table.prompt, LONG)
        await player.end([], Result(MatchReason.TARGET, (0, 301), (1, 2)))
        await player.close()
        assert heard.is_set()


# --- ours


async def test_a_new_player_reaches_the_bot_that_is_there_now() -> None:
    """Also where an older player still holds a connection to what was at the address before."""
    table = Table()
    with serving(BOTS) as old, serving(BOTS) as new:
        first = RemotePlayer(old.address)
        await first.start("m", info(), LONG)
        os.replace(new.address.removeprefix("unix:"), old.address.removeprefix("unix:"))  # noqa: PTH105
        second = RemotePlayer(old.address)
        await second.start("m", info(), LONG)
        new.process.kill()
        news, prompt = table.news(), table.prompt
        assert await first.turn(news, prompt, LONG)
        with pytest.raises(PlayerGone):
            await second.turn(news, prompt, LONG)
        await first.close()
        await second.close()


@pytest.mark.parametrize(("turns", "seconds"), [(0, 0.01), (1, 0.2), (0, 0.2)])
async def test_a_cancelled_match_leaves_nothing(turns: int, seconds: float) -> None:
    """Whether it is cancelled while the bot starts, in a turn, or in a ready check."""

    async def match(remote: RemotePlayer, table: Table) -> None:
        try:
            await remote.start("m", info(Script.SLEEP_IN_FIRST_TURN), LONG)
            for _ in range(turns):
                await remote.turn(table.news(), table.prompt, LONG)
            while True:
                await remote.ready(table.news(), LONG)
        finally:
            await remote.close()

    with serving(BOTS) as bot:
        task = asyncio.create_task(match(RemotePlayer(bot.address), Table()))
        await asyncio.sleep(seconds)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_a_stream_that_outlives_all_budgets_voids_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its bound is ours, so nobody is blamed when it is passed."""
    monkeypatch.setattr("arena.players.remote._MARGIN", 0.0)

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        await asyncio.sleep(60)
        yield b""

    table = Table()
    async with listening(play) as (address, _):
        remote = RemotePlayer(address)
        await remote.start("m", info(budget=0.1), LONG)
        with pytest.raises(MatchVoid, match="longer than its seats may take"):
            await remote.turn(table.news(), table.prompt, LONG)
        await remote.close()


async def test_a_pause_of_our_own_does_not_cost_the_bot_its_turn() -> None:
    """An answer that came in time counts, even if this process slept through the deadline."""
    with serving(BOTS) as bot:
        remote = RemotePlayer(bot.address)
        await remote.start("m", info(Script.SLEEP_IN_FIRST_TURN), LONG)
        table = Table()
        turn = asyncio.create_task(remote.turn(table.news(), table.prompt, NAP + 0.2))
        await asyncio.sleep(0.1)
        _stall(NAP + 0.4)
        answer = await turn
        await remote.close()
    assert answer.action == table.state.legal_actions()[-1]
    assert answer.seconds <= NAP + 0.2


def _stall(seconds: float) -> None:
    """Keep the event loop from running."""
    until = monotonic() + seconds
    while monotonic() < until:
        os.sched_yield()
