"""What a remote player makes of bots that speak HTTP/2 as no library does."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from arena.match.faults import FaultKind, PlayerFault, PlayerGone
from arena.players.remote import RemotePlayer
from sample_bots.misbehaving.pack import pack
from tests.contract.players.conftest import Table, info, serving

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def play_on(remote: RemotePlayer, seconds: float) -> PlayerGone:
    """Ask for turns until the bot is gone."""
    table = Table()
    for _ in range(10):
        try:
            await remote.turn(table.news(), table.prompt, seconds)
        except PlayerGone as gone:
            return gone
        except PlayerFault:
            pass
        table.lap()
    raise AssertionError("it is still there")


async def test_a_bot_that_stops_reading_its_socket_holds_nobody_up(tmp_path: Path) -> None:
    """It floods with pings and reads nothing: neither a question nor hanging up waits for room.

    While gRPC waits for room in a socket, cancelling a call doesn't end a write on it, and ending
    gRPC's engine, as with its last channel, waits in the event loop's own thread.
    """
    with serving(pack("ping_flood_unread", tmp_path / "bot") / "bot.py") as bot:
        remote = RemotePlayer(bot.address)
        await remote.start("m", info(), 10)
        began = monotonic()
        gone = await play_on(remote, 0.5)
        await remote.close()
        took = monotonic() - began
    assert gone.kind is FaultKind.PROTOCOL
    assert "does not read its messages" in gone.detail
    assert took < 6


async def test_a_bot_that_floods_before_it_is_healthy_is_given_up_in_time(tmp_path: Path) -> None:
    """gRPC's own timer doesn't end the question for its health, since it waits for room."""
    with serving(pack("floods_from_the_start", tmp_path / "bot") / "bot.py") as bot:
        remote = RemotePlayer(bot.address)
        began = monotonic()
        with pytest.raises(PlayerGone, match="was not ready after 2 s") as caught:
            await remote.start("m", info(), 2)
        await remote.close()
        took = monotonic() - began
    assert caught.value.kind is FaultKind.NEVER_STARTED
    assert took < 6
