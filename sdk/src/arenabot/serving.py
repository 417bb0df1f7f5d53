"""Turns bot classes into the server that the arena calls.

Its parts stand alone: ``by_game`` and ``chosen_address`` need no network, ``PlayerService`` plays
over any gRPC server of asyncio's, ``run`` puts them together.  Importing this module makes no
object of gRPC's, so that a process may import a bot, fork, and only then call ``run``.

The server is asyncio's: of gRPC's two it needs the least time a move, and it calls the bot in the
program's main thread, as the author's own script would.  While a bot thinks, its process does
nothing else, which is what a bot with one CPU and one match wants.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from argparse import ArgumentParser
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Final, NoReturn

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health import aio as health

from arenabot import wire
from arenabot.bots import Bot
from arenabot.conversation import Conversation
from arenabot.driver import told
from arenabot.v1 import player_pb2 as player
from arenabot.v1 import player_pb2_grpc

_LOG = logging.getLogger("arenabot")

#: Where the arena tells a bot to listen.
ADDRESS_VARIABLE: Final = "ARENABOT_ADDRESS"
#: Where a bot listens that nobody told anything: on the author's own machine.
DEFAULT_ADDRESS: Final = "127.0.0.1:50051"

# A second bot on a port that is taken is told so, instead of getting half of the calls.
_OPTIONS: Final = (("grpc.so_reuseport", 0),)
# How long a bot that fell behind looks for a newer message before it believes that a question
# still stands: a message that was sent is there within a fraction of this.
_LOOK_AHEAD: Final = 0.005


def serve(*bot_classes: type[Bot]) -> None:
    """Serve bots, one class for each game, until the program is told to end.

    Listens where ``--address`` or the variable ``ARENABOT_ADDRESS`` says, else on
    127.0.0.1:50051.  Every match gets a new object of the class for its game.  An error in the
    bot's code ends that match for it, with the traceback on standard error; the program stays.
    Ends with one line and exit code 1 or 2 where it cannot serve.
    """
    try:
        bots = by_game(bot_classes)
    except TypeError as error:
        _give_up(str(error), 2)
    signal.signal(signal.SIGTERM, _terminated)
    try:
        asyncio.run(run(bots, chosen_address()))
    except KeyboardInterrupt:
        pass
    except OSError as error:
        _give_up(str(error), 1)


def by_game(bot_classes: Iterable[type[Bot]]) -> dict[str, type[Bot]]:
    """Order bot classes by the game that they play; ``TypeError`` names one that cannot serve."""
    bots: dict[str, type[Bot]] = {}
    for bot_class in bot_classes:
        if not (isinstance(bot_class, type) and issubclass(bot_class, Bot)):
            raise TypeError(f"serve() takes classes of bots, as in serve(MyBot), not {bot_class!r}")
        name = bot_class.__name__
        missing = ", ".join(sorted(bot_class.__abstractmethods__))
        if missing:
            raise TypeError(f"{name} cannot be served before it has: {missing}")
        other = bots.setdefault(bot_class.game, bot_class)
        if other is not bot_class:
            raise TypeError(f"{other.__name__} and {name} both play {bot_class.game}: serve one")
    if not bots:
        raise TypeError("serve() needs a class of bots, as in serve(MyBot)")
    return bots


def chosen_address() -> str:
    """Where to listen: ``--address``, else the arena's variable, else the default."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--address", default=os.environ.get(ADDRESS_VARIABLE) or DEFAULT_ADDRESS)
    # Other arguments are the bot's own business.
    return str(parser.parse_known_args()[0].address)


async def run(bots: Mapping[str, type[Bot]], address: str) -> None:
    """Serve until cancelled; ``OSError`` if nothing can listen at ``address``."""
    server = grpc.aio.server(options=_OPTIONS)
    player_pb2_grpc.add_PlayerServiceServicer_to_server(PlayerService(bots), server)
    # It says SERVING from the start: a bot has prepared itself before it calls serve().
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
        conversation = Conversation(self._bots)
        async for request, stale in _looking_ahead(request_iterator, conversation):
            try:
                response = conversation.answer(request, stale=stale)
            except wire.WireError as error:
                _LOG.error("%s", error)
                await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
            except Exception as error:
                _LOG.exception("the bot raised an error, which ends this match for it")
                await context.abort(grpc.StatusCode.INTERNAL, told(error))
            if response is not None:
                yield response


async def _looking_ahead(
    requests: AsyncIterator[player.PlayRequest], conversation: Conversation
) -> AsyncIterator[tuple[player.PlayRequest, bool]]:
    """Give each message, and whether a newer one is there already, so that nobody waits for it.

    Only a bot that fell behind is looked at, so that it catches up instead of answering one
    question after the other too late.
    """
    coming = aiter(requests)
    newer: asyncio.Future[player.PlayRequest | None] | None = None
    try:
        while (request := await (newer or anext(coming, None))) is not None:
            newer, stale = None, False
            if conversation.behind:
                newer = asyncio.ensure_future(anext(coming, None))
                stale = bool((await asyncio.wait({newer}, timeout=_LOOK_AHEAD))[0])
            yield request, stale
    finally:
        if newer is not None:
            newer.cancel()


def _terminated(*_: object) -> NoReturn:
    """End on SIGTERM, which does nothing by itself to the first process of a container."""
    raise SystemExit(0)


def _give_up(why: str, code: int) -> NoReturn:
    print(f"arenabot: {why}", file=sys.stderr)
    raise SystemExit(code)
