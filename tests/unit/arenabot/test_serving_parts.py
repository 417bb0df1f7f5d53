"""What ``serve`` is put together from, without a network."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from arenabot import Bot, ClaimBot, ClaimsBot
from arenabot.serving import ADDRESS_VARIABLE, DEFAULT_ADDRESS, by_game, chosen_address
from arenabot.transport import POLLING, VARIABLE


class Good(ClaimsBot):
    """A bot."""

    def turn(self, observation: Any) -> Any:
        """Whatever."""


class Another(Good):
    """Another one for the same game."""


class OtherGame(ClaimBot):
    """One for another game."""

    def turn(self, observation: Any) -> Any:
        """Whatever."""


class Unfinished(ClaimsBot):
    """No ``turn``."""


class NoGame(Bot):
    """No game."""

    def turn(self, observation: Any) -> Any:
        """Whatever."""


def test_bots_are_found_by_their_game() -> None:
    """One class for each; the same one twice is one."""
    assert by_game([Good, OtherGame, Good]) == {"claims": Good, "claim": OtherGame}


@pytest.mark.parametrize(
    ("classes", "why"),
    [
        ([], r"serve\(\) needs a class of bots, as in serve\(MyBot\)"),
        ([Good()], r"takes classes of bots, as in serve\(MyBot\), not <"),
        ([int], r"takes classes of bots, as in serve\(MyBot\), not <class 'int'>"),
        ([Unfinished], "Unfinished cannot be served before it has: turn"),
        ([NoGame], "NoGame names no game: derive it from ClaimsBot"),
        ([Good, Another], "Good and Another both play claims: serve one"),
    ],
)
def test_what_cannot_be_served_is_named(classes: list[Any], why: str) -> None:
    """With one line that says what to do."""
    with pytest.raises(TypeError, match=why):
        by_game(classes)


@pytest.mark.parametrize(
    ("arguments", "variable", "chosen"),
    [
        ([], None, DEFAULT_ADDRESS),
        ([], "", DEFAULT_ADDRESS),
        ([], "unix:/run/arena/bot.sock", "unix:/run/arena/bot.sock"),
        (["--address", "127.0.0.1:6000"], "unix:/run/arena/bot.sock", "127.0.0.1:6000"),
        (["--address=127.0.0.1:6000", "--depth", "3", "x"], None, "127.0.0.1:6000"),
        (["--addr", "x"], None, DEFAULT_ADDRESS),
    ],
)
def test_the_address_is_the_most_explicit_one(
    arguments: list[str], variable: str | None, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line, then the arena's variable, then the default; other arguments stay out."""
    monkeypatch.setattr(sys, "argv", ["bot.py", *arguments])
    monkeypatch.delenv(ADDRESS_VARIABLE, raising=False)
    if variable is not None:
        monkeypatch.setenv(ADDRESS_VARIABLE, variable)
    assert chosen_address() == chosen


def fresh(code: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not done.stderr
    return done.stdout.strip()


def test_a_bots_imports_leave_grpc_out() -> None:
    """Until it serves, a bot's program has loaded neither gRPC nor protobuf."""
    code = (
        "import sys; from arenabot import CLAIM, ClaimsBot, burn, serve; "
        "print(sorted({'grpc', 'google.protobuf', 'pydantic'} & set(sys.modules)))"
    )
    assert fresh(code) == "[]"


def test_grpc_hears_how_it_is_to_work_before_it_is_imported() -> None:
    """It looks once; whoever has chosen otherwise is left alone."""
    code = (
        "import os, sys; {choice}; sys.addaudithook(lambda event, args: event == 'import' "
        "and args[0] == 'grpc' and print(os.environ['GRPC_EXPERIMENTS'])); "
        "import arenabot.server"
    )
    assert fresh(code.format(choice=f"os.environ.pop({VARIABLE!r}, None)")) == POLLING
    assert fresh(code.format(choice="os.environ['GRPC_EXPERIMENTS'] = ''")) == ""


def test_importing_the_server_makes_no_object_of_grpcs() -> None:
    """A process may import a bot and the server, fork, and serve in the child."""
    code = """
import os, sys, asyncio
import arenabot.server
from arenabot.v1 import player_pb2
import grpc, threading
assert threading.active_count() == 1, threading.enumerate()
if os.fork() == 0:
    async def serve_a_moment():
        server = grpc.aio.server()
        assert server.add_insecure_port("127.0.0.1:0")
        await server.start()
        await server.stop(None)
        print("served")
    asyncio.run(serve_a_moment())
    sys.stdout.flush()
    os._exit(0)
os.wait()
"""
    assert fresh(code) == "served"
