"""``serve``: what turns a bot's file into a program that the arena can call.

Its parts stand alone: ``by_game`` and ``chosen_address`` need no network, and gRPC is imported
by ``arenabot.server``, which makes no object of gRPC's before ``run`` is called.  So a process
may import a bot and the server, fork, and only then serve.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterable
from typing import Final, NoReturn

from arenabot.bots import Bot

#: Where the arena tells a bot to listen.
ADDRESS_VARIABLE: Final = "ARENABOT_ADDRESS"
#: Where a bot listens that nobody told anything: on its author's own machine.
DEFAULT_ADDRESS: Final = "127.0.0.1:50051"


def serve(*bot_classes: type[Bot]) -> None:
    """Serve bots, one class for each game, until the program is told to end.

    Listens where ``--address`` or the variable ``ARENABOT_ADDRESS`` says, else on
    127.0.0.1:50051.  Every match gets a new object of the class for its game, called in the main
    thread.  An error in the bot's code ends that match for it, with the traceback on standard
    error; the program stays and can play other matches.  Where it cannot serve at all, it says
    why in one line and exits with code 1 or 2.
    """
    try:
        bots = by_game(bot_classes)
    except TypeError as error:
        _give_up(str(error), 2)
    signal.signal(signal.SIGTERM, _terminated)
    # Late, so that importing a bot costs nothing of gRPC's.
    from arenabot.server import run  # noqa: PLC0415

    try:
        asyncio.run(run(bots, chosen_address()))
    except KeyboardInterrupt:
        return
    except OSError as error:
        _give_up(str(error), 1)


def by_game(bot_classes: Iterable[type[Bot]]) -> dict[str, type[Bot]]:
    """Order bot classes by the game that they play; ``TypeError`` names one that cannot serve."""
    bots: dict[str, type[Bot]] = {}
    for bot_class in bot_classes:
        if not (isinstance(bot_class, type) and issubclass(bot_class, Bot)):
            raise TypeError(f"serve() takes classes of bots, as in serve(MyBot), not {bot_class!r}")
        name = bot_class.__name__
        if missing := sorted(bot_class.__abstractmethods__):
            raise TypeError(f"{name} cannot be served before it has: {', '.join(missing)}")
        if not hasattr(bot_class, "game"):
            raise TypeError(f"{name} names no game: derive it from ClaimsBot or another game's bot")
        other = bots.setdefault(bot_class.game, bot_class)
        if other is not bot_class:
            raise TypeError(f"{other.__name__} and {name} both play {bot_class.game}: serve one")
    if not bots:
        raise TypeError("serve() needs a class of bots, as in serve(MyBot)")
    return bots


def chosen_address() -> str:
    """Where to listen: ``--address``, else the arena's variable, else the default."""
    told = os.environ.get(ADDRESS_VARIABLE) or DEFAULT_ADDRESS
    if not any(argument.startswith("--address") for argument in sys.argv[1:]):
        return told
    # Late, since the arena never comes here and a parser takes longer to make than a server.
    from argparse import ArgumentParser  # noqa: PLC0415

    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--address", default=told)
    # Other arguments are the bot's own business.
    return str(parser.parse_known_args()[0].address)


def _terminated(*_: object) -> NoReturn:
    """End on SIGTERM, which does nothing by itself to the first process of a container."""
    raise SystemExit(0)


def _give_up(why: str, code: int) -> NoReturn:
    print(f"arenabot: {why}", file=sys.stderr)
    raise SystemExit(code)
