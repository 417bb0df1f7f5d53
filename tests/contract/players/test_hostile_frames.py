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


async def test_a_bot_that_stops_reading_its_socket_holds_nobody_up(tmp_path: Path) -> None:
    """It floods with pings and reads nothing: neither a question nor hanging up waits for room.

    While gRPC waits for room in a socket, cancelling a call doesn't end a write on it.
    """
    with serving(pack("ping_flood", tmp_path / "bot") / "bot.py") as bot:
        remote = RemotePlayer(bot.address)
        await remote.start("m", info(), 10)
        table = Table()
        began = monotonic()
        with pytest.raises(PlayerGone) as gone:
            for _ in range(8):
                try:
                    await remote.turn(table.news(), table.prompt, 0.5)
                except PlayerGone:
                    raise
                except PlayerFault as fault:
                    assert fault.kind is FaultKind.TIMEOUT
                table.lap()
        await remote.close()
        assert gone.value.kind is FaultKind.PROTOCOL
        assert "does not read its messages" in gone.value.detail
        assert monotonic() - began < 8
