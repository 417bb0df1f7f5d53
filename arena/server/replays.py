"""ReplayService: replays whose deals nobody will meet again, and whether a replay holds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import grpc

from arena.app.tournaments import kept_matches, replays
from arena.match import replay
from arena.match.replay import ReplayError
from arena.match.verify import Verdict
from arena.server.arena import Arena
from arena.server.refusals import Refused
from arena.server.visible import visible
from arena.wire import replays as wire
from arenabot.v1 import arena_pb2 as pb
from arenabot.v1 import arena_pb2_grpc as pb_grpc

Context = grpc.aio.ServicerContext[Any, Any]

PIECE: Final = 64 << 10
"""Bytes in one message."""

MOST_SENT: Final = 4 << 20
"""Bytes of a replay that is sent to be verified, as it is sent: ours have some 50,000."""

MOST_UNPACKED: Final = 8 << 20
"""... and unpacked: ours have some 500,000. As objects they are many times as large."""


class Replays(pb_grpc.ReplayServiceServicer):
    """Answers for one arena. Replays are verified one after the other, in a thread of their own."""

    def __init__(self, arena: Arena) -> None:
        """Answer for `arena`."""
        self._store = arena.store
        self._thread = ThreadPoolExecutor(1, "replays")

    async def GetReplay(
        self, message: pb.GetReplayRequest, _: Context
    ) -> AsyncIterator[pb.GetReplayResponse]:
        """Send a replay in pieces, once it is released."""
        data = await asyncio.to_thread(self._released, message.tournament, message.match_id)
        for at in range(0, len(data), PIECE):
            yield pb.GetReplayResponse(data=data[at : at + PIECE])

    async def VerifyReplay(
        self, messages: AsyncIterator[pb.VerifyReplayRequest], _: Context
    ) -> pb.VerifyReplayResponse:
        """Say whether a replay holds: one of the arena's, or the bytes that come."""
        asked = await _asked(messages)
        if isinstance(asked, pb.ReplayName):
            asked = await asyncio.to_thread(self._released, asked.tournament, asked.match_id)
        loop = asyncio.get_running_loop()
        return wire.verdict(await loop.run_in_executor(self._thread, _verified, asked))

    def _released(self, name: str, match: str) -> bytes:
        """The bytes of a replay that the caller may have. Raises Refused, ArenaError."""
        return kept_matches.released(self._store, visible(self._store, name).name, match)


async def _asked(messages: AsyncIterator[pb.VerifyReplayRequest]) -> pb.ReplayName | bytes:
    """What is to be verified. Raises Refused."""
    data = bytearray()
    name: pb.ReplayName | None = None
    async for message in messages:
        if message.WhichOneof("message") == "name" and name is None and not data:
            name = message.name
        elif message.WhichOneof("message") == "data" and name is None:
            data += message.data
        else:
            raise Refused(pb.REASON_INVALID, "send a replay's name or its bytes, and one of them")
        if len(data) > MOST_SENT:
            raise Refused(
                pb.REASON_TOO_LARGE,
                f"a replay has {MOST_SENT // 1024**2} MiB at most: verify it with "
                "`arena replay verify FILE` and no server",
            )
    return bytes(data) if name is None else name


def _verified(data: bytes) -> Verdict:
    try:
        return replays.checked(list(replay.unpack(data, most=MOST_UNPACKED))).verdict
    except ReplayError as error:
        return Verdict(None, 0, str(error))
