"""The test doubles keep the contract, each but for the one thing that it is there for."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

from arena.sandbox import Ending, EngineUnavailable, Launch, Sandbox, StartFailed, settled
from arena.sandbox.doubles import (
    DyingSandbox,
    FixedSandbox,
    LostSandbox,
    SilentSandbox,
    SlowSandbox,
)

if TYPE_CHECKING:
    from tests.contract.sandbox.conftest import Place

LAUNCH = Launch("m1/seat 0", "nothing", ("bot",))


@pytest.fixture
def kind() -> str:
    """What the doubles wrap here: the sandbox that is there everywhere."""
    return "process"


@pytest.mark.parametrize(
    "wrap",
    [
        lambda inner: SlowSandbox(inner, 0.1),
        lambda inner: DyingSandbox(inner, after=100),
        LostSandbox,
    ],
    ids=["slow", "dying", "lost"],
)
async def test_bots_answer_through_a_double(place: Place, wrap: type[LostSandbox]) -> None:
    """A double around a real sandbox hands out real bots, and stops them."""
    double: Sandbox = wrap(place.sandbox)
    bot = await double.start(place.launch("serve"), timeout=20)
    assert await place.ask(bot, "hello") == "hello"
    assert (await bot.report()).ending is Ending.RUNNING
    first = await bot.stop()
    assert first.ending is Ending.STOPPED
    assert await bot.stop() == await bot.report() == first
    assert place.traces() == []
    await double.close()


async def test_a_fixed_sandbox_hands_back_its_address_and_counts() -> None:
    """A test that serves by itself sees what was launched and what was not stopped."""
    double = FixedSandbox("unix:/somewhere")
    bots = [await double.start(LAUNCH, timeout=1) for _ in range(2)]
    assert {bot.address for bot in bots} == {"unix:/somewhere"}
    assert double.launches == [LAUNCH, LAUNCH]
    assert (await bots[0].stop()).ending is Ending.STOPPED
    assert double.running == {bots[1]}
    await double.close()
    assert (await bots[1].report()).ending is Ending.STOPPED


async def test_a_slow_sandbox_is_slow_at_our_expense(place: Place) -> None:
    """The delay doesn't count into the bot's own time."""
    double = SlowSandbox(place.sandbox, 0.5)
    begin = time.monotonic()
    with pytest.raises(StartFailed, match=r"within 0\.1 s"):
        await double.start(place.launch("sleep"), timeout=0.1)
    assert time.monotonic() - begin >= 0.6


async def test_a_silent_sandbox_fails_each_start_at_its_time() -> None:
    """Its bots never listen, and it is their fault."""
    with pytest.raises(StartFailed, match=r"made no socket within 0\.1 s") as raised:
        await SilentSandbox().start(LAUNCH, timeout=0.1)
    assert raised.value.report.ending is Ending.STOPPED


async def test_a_dying_sandboxs_bots_end_by_themselves(place: Place) -> None:
    """After its time the bot is gone, and the report says what the test wished for."""
    double = DyingSandbox(place.sandbox, after=0.1, ending=Ending.OUT_OF_MEMORY, exit_code=137)
    bot = await double.start(place.launch("serve"), timeout=20)
    assert (await bot.report()).ending is Ending.RUNNING
    report = await settled(bot, within=20)
    assert (report.ending, report.exit_code) == (Ending.OUT_OF_MEMORY, 137)
    assert report.detail == "used 256 MiB of 256 MiB and was stopped"
    assert await bot.stop() == report
    assert place.traces() == []


async def test_a_lost_sandbox_charges_nobody(place: Place) -> None:
    """Once lost, bots are silent, reports say so, and nothing can be started."""
    double = LostSandbox(place.sandbox)
    bot = await double.start(place.launch("serve"), timeout=20)
    await double.lose()
    for report in (await bot.report(), await bot.stop()):
        assert report.ending is Ending.ENGINE_LOST
    with pytest.raises(OSError, match="No such file"):
        await asyncio.open_unix_connection(bot.address.removeprefix("unix:"))
    with pytest.raises(EngineUnavailable):
        await double.start(place.launch("serve"), timeout=20)
