"""The gRPC server of a bot; importing it makes no object of gRPC's.

It is asyncio's.  Measured beside the server with threads it needs as little time a move, and it
calls the bot in the program's main thread, as its author's own script would.  While a bot thinks,
its process does nothing else, which is what one match on one CPU wants.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Mapping
from typing import Final

from arenabot import wire
from arenabot.bots import Bot
from arenabot.conversation import Conversation
from arenabot.driver import told
from arenabot.transport import use_polling
from arenabot.v1 import player_pb2 as player

use_polling()  # before gRPC is imported

import grpc  # noqa: E402
from grpc_health.v1 import health_pb2_grpc  # noqa: E402
from grpc_health.v1.health import aio as health  # noqa: E402

from arenabot.v1 import player_pb2_grpc  # noqa: E402

_LOG = logging.getLogger("arenabot")

# A second bot on a port that is taken is told so, instead of getting half of the calls.
_OPTIONS: Final = (("grpc.so_reuseport", 0),)
# How long a bot that fell behind looks for a newer message before it believes that a question
# still stands, in seconds: a message that was sent is here within a fraction of it.
_LOOK_AHEAD: Final = 0.005


async def run(bots: Mapping[str, type[Bot]], address: str) -> None:
    """Serve until cancelled; ``OSError`` if nothing can listen at ``address``."""
    server = grpc.aio.server(options=_OPTIONS)
    player_pb2_grpc.add_PlayerServiceServicer_to_server(PlayerService(bots), server)
    # It says SERVING from the start: a bot has prepared itself before it serves.
    health_pb2_grpc.add_HealthServicer_to_server(health.HealthServicer(), server)
    try:
        server.add_insecure_port(address)
    except RuntimeError:
        raise OSError(
            f"cannot listen on {address}: is it taken, or no address? --address chooses another"
        ) from None
    await server.start()
    print(f"arenabot: playing {', '.join(bots)} at {address}", file=sys.stderr, flush=True)
    try:
        await server.wait_for_termination()
    finally:
        await server.stop(grace=None)


class PlayerService(player_pb2_grpc.PlayerServiceServicer):
    """The service that the arena calls: one stream is one match is one new bot."""

    def __init__(self, bots: Mapping[str, type[Bot]]) -> None:
        """Play each game with the class that ``bots`` has for it."""
        self._bots = bots

    async def Play(  # noqa: N802 - the name is the protocol's
        self,
        request_iterator: AsyncIterator[player.PlayRequest],
        context: grpc.aio.ServicerContext[player.PlayRequest, player.PlayResponse],
    ) -> AsyncIterator[player.PlayResponse]:
        """Answer one match's messages to its end."""
        match = Conversation(self._bots)
        coming = aiter(request_iterator)
        newer: asyncio.Future[player.PlayRequest | None] | None = None
        try:
            while (request := await (newer or anext(coming, None))) is not None:
                newer, stale = None, False
                if match.behind:
                    # It answered too late: leave out what is too late by now as well.
                    newer = asyncio.ensure_future(anext(coming, None))
                    stale = bool((await asyncio.wait({newer}, timeout=_LOOK_AHEAD))[0])
                response = match.answer(request, stale=stale)
                if response is not None:
                    yield response
        except wire.WireError as error:
            _LOG.error("%s", error)
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
        except Exception as error:
            _LOG.exception("the bot raised an error, which ends this match for it")
            await context.abort(grpc.StatusCode.INTERNAL, told(error))
        finally:
            if newer is not None:
                newer.cancel()
