"""A container engine that dies, restarts or hangs is never a bot's fault."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.sandbox import Ending, EngineUnavailable, SandboxFailed, settled
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.protections import State, protections
from arena.sandbox.reap import reap

if TYPE_CHECKING:
    from tests.contract.sandbox.conftest import Place
    from tests.wire import Wire

pytestmark = pytest.mark.docker


@pytest.fixture
def kind() -> str:
    """Only containers have an engine to lose."""
    return "docker"


@pytest.fixture
async def far(wire: Wire, place: Place) -> AsyncIterator[Place]:
    """A sandbox at the end of that wire; `place` is one without a wire, to look from."""
    sandbox = DockerSandbox(place.instance, host=wire.host, uids=place.uids)
    yield replace(place, sandbox=sandbox)
    wire.cut()
    wire.mend()
    await sandbox.close()


async def test_a_bot_that_dies_with_its_engine_is_not_charged(far: Place, wire: Wire) -> None:
    """No answer from the engine: ENGINE_LOST, from `report` and from `stop`, without raising."""
    bot = await far.start("serve")
    wire.cut()
    for report in (await bot.report(), await bot.stop(), await bot.stop()):
        assert report.ending is Ending.ENGINE_LOST
        assert (report.exit_code, report.peak_memory) == (None, None)
        assert "not the bot's fault" in report.detail


async def test_a_bot_that_ended_before_a_restart_is_not_charged(far: Place, wire: Wire) -> None:
    """An engine that is back isn't the same one, so an end that it tells of is nobody's."""
    bot = await far.start("serve")
    await far.ask(bot, "exit", "1")
    wire.cut()
    wire.mend()
    assert (await settled(bot, within=5)).ending is Ending.ENGINE_LOST
    # The bots of the new engine are its own.
    other = await far.start("serve")
    await far.ask(other, "exit", "1")
    assert (await settled(other, within=5)).ending is Ending.EXITED


async def test_an_engine_that_takes_no_new_connections_is_lost(far: Place, wire: Wire) -> None:
    """An engine that is shutting down answers on old connections only: that isn't alive."""
    bot = await far.start("serve")
    await far.ask(bot, "exit", "1")
    wire.path.rename(wire.path.with_suffix(".old"))
    assert (await settled(bot, within=5)).ending is Ending.ENGINE_LOST
    wire.path.with_suffix(".old").rename(wire.path)


async def test_what_a_lost_engine_still_has_is_removed_when_it_is_back(
    far: Place, place: Place, wire: Wire
) -> None:
    """What a lost bot has is kept for as long as it may live, and gone after the next start."""
    bot = await far.start("serve")
    wire.cut()
    await bot.stop()
    wire.mend()
    left = {trace.split()[0] for trace in place.traces()}
    assert left == {"container", "folder", "mount", "uid"}
    other = await far.start("serve")
    await other.stop()
    assert place.traces() == []


async def test_what_nobody_removed_is_reaped_by_the_next_arena(
    far: Place, place: Place, wire: Wire, tmp_path: Path
) -> None:
    """A sandbox closed without its engine leaves a container and a mark for `reap` to find."""
    bot = await far.start("serve")
    wire.cut()
    await bot.stop()
    await far.sandbox.close()
    far.instance.close()
    wire.mend()
    assert [trace.split()[0] for trace in place.traces()] == ["container", "uid"]
    done = reap("test-store", tmp_path / "run", uids=far.uids)
    assert (done.containers, done.uids) == (1, 1)
    assert place.traces() == []


async def test_without_an_engine_reaping_waits(
    far: Place, place: Place, wire: Wire, tmp_path: Path
) -> None:
    """Folders of dead runs with containers are left until an engine can be asked."""
    with far.held(tmp_path / "other", bots=1) as other:
        other.end(9)
    silent = f"unix://{tmp_path / 'nothing.sock'}"
    done = reap("test-store", tmp_path / "other", host=silent, uids=far.uids)
    assert not done.engine_answered
    assert place.of_run(other.path) != []
    done = reap("test-store", tmp_path / "other", uids=far.uids)
    assert (done.containers, done.mounts, done.uids) == (1, 1, 1)
    assert place.of_run(other.path) == []


async def test_starting_without_an_engine_is_our_fault(far: Place, wire: Wire) -> None:
    """One line says that the engine is down and what to do."""
    wire.cut()
    with pytest.raises(EngineUnavailable, match=r"doesn't answer .*: start it, or set DOCKER_HOST"):
        await far.start("serve")


async def test_an_engine_lost_in_mid_start_is_our_fault(
    far: Place, place: Place, wire: Wire
) -> None:
    """A bot that was waited for when the engine died is not charged."""
    start = asyncio.ensure_future(far.sandbox.start(far.launch("sleep"), timeout=20))
    await asyncio.sleep(0.05)
    while not any("container" in trace for trace in place.traces()):  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    wire.cut()
    with pytest.raises(EngineUnavailable):
        await start


async def test_a_container_removed_by_somebody_else_is_not_charged(place: Place) -> None:
    """Who removes a container by hand doesn't turn it into a bot's crash."""
    bot = await place.start("serve")
    (found,) = [trace for trace in place.traces() if trace.startswith("container ")]
    assert isinstance(place.sandbox, DockerSandbox)
    place.sandbox.engine.remove(found.removeprefix("container "))
    for report in (await bot.report(), await bot.stop()):
        assert report.ending is Ending.ENGINE_LOST
        assert "somebody else removed" in report.detail


async def test_an_engine_elsewhere_is_refused_at_once(place: Place) -> None:
    """An engine on another machine can't see our sockets."""
    with pytest.raises(SandboxFailed, match=r"must be on this machine, and tcp://far:2375 is not"):
        DockerSandbox(place.instance, host="tcp://far:2375")


async def test_protections_name_what_is_there_and_what_is_missing(far: Place, wire: Wire) -> None:
    """`protections` is a list in words, and without an engine one line that says what to do."""
    found = {entry.name: entry for entry in protections(far.sandbox)}
    assert found["engine"].state is State.PRESENT
    assert found["memory limit"].state is State.PRESENT
    assert all(entry.sentence for entry in found.values())
    wire.cut()
    (missing,) = protections(far.sandbox)
    assert (missing.name, missing.state) == ("engine", State.MISSING)
    assert "start it" in missing.sentence
