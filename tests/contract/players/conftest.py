"""Both kinds of player as one fixture, a table to play at, and a look at what is left behind."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import grpc
import pytest
import pytest_asyncio
from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_health.v1.health_pb2_grpc import HealthStub

from arena.games import State, game
from arena.match.player import Player
from arena.players.channel import connect
from arena.players.local import LocalPlayer
from arena.players.remote import RemotePlayer
from arenabot.anygame import AnyEvent, AnyPrompt
from arenabot.bots import MatchInfo
from arenabot.options import ClaimsOptions
from tests.contract.players.bots import BOTS, DIARY, Script

#: Makes a player of a game; in Claims it plays by a script.
MakePlayer: TypeAlias = Callable[[str], Player]


class Table:
    """A match of Claims for two whose seats are asked by hand."""

    def __init__(self) -> None:
        self.state: State = game("claims").new_match(seats=2, seed=bytes(range(32)))
        self._told = 0

    @property
    def prompt(self) -> AnyPrompt:
        """What seat 0 may do now."""
        return self.state.prompt(0)

    def news(self) -> Sequence[AnyEvent]:
        """What seat 0 was not told yet."""
        news = self.state.events[self._told :]
        self._told = len(self.state.events)
        return news

    def end_round(self) -> None:
        """Both seats play default moves until the round is scored."""
        while self.state.to_act:
            self.state.apply(self.state.default_action(), default=True)

    def lap(self) -> None:
        """Both seats play their default moves: it is seat 0's turn again."""
        for _ in range(2):
            self.state.apply(self.state.default_action(), default=True)


def info(script: Script = Script.PLAY, **facts: Any) -> MatchInfo:
    """The facts of a match for two in which seat 0 plays a script."""
    known: dict[str, Any] = {
        "game": "claims",
        "options": ClaimsOptions(),
        "seat": 0,
        "seats": 2,
        "bot_seed": int(script),
        "turn_time": 20.0,
        "ready_time": 60.0,
        "budget": 600.0,
    }
    return MatchInfo(**{**known, **facts})


def told(diary: Path) -> list[str]:
    """The lines that a bot with the script ``TELL`` has written."""
    return diary.read_text().splitlines()


class Served(NamedTuple):
    """A bot's program that runs."""

    address: str
    process: subprocess.Popen[bytes]
    #: What it prints.
    log: Path


@contextmanager
def serving(program: Path, **environment: str) -> Iterator[Served]:
    """Run a bot's file as the arena's sandboxes do."""
    with tempfile.TemporaryDirectory(prefix="bot-") as folder:
        socket = Path(folder) / "bot.sock"
        told = {**os.environ, "ARENABOT_ADDRESS": f"unix:{socket}", **environment}
        log = Path(folder) / "log.txt"
        with log.open("w") as errors:
            process = subprocess.Popen([sys.executable, str(program)], env=told, stderr=errors)
        try:
            until = time.monotonic() + 20
            while not socket.exists():
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < until, "the bot's program does not listen"
                time.sleep(0.01)
            yield Served(f"unix:{socket}", process, log)
        finally:
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def diary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that bots with the script ``TELL`` write, in this process and in their own."""
    return tmp_path_factory.mktemp("diary") / "diary.txt"


@pytest.fixture(scope="session")
def served(diary: Path) -> Iterator[str]:
    """The address of a process that serves the bots."""
    with serving(Path(__file__).with_name("bots.py"), **{DIARY: str(diary)}) as bot:
        yield bot.address


@pytest.fixture(params=["local", "remote"])
def make(
    request: pytest.FixtureRequest, diary: Path, monkeypatch: pytest.MonkeyPatch
) -> MakePlayer:
    """A maker of players of either kind."""
    diary.unlink(missing_ok=True)
    if request.param == "local":
        monkeypatch.setenv(DIARY, str(diary))
        return lambda game: LocalPlayer(BOTS[game])
    address = request.getfixturevalue("served")
    return lambda game: RemotePlayer(address)  # noqa: ARG005 - the server plays all of them


@pytest_asyncio.fixture(loop_scope="session")
async def player(make: MakePlayer) -> AsyncIterator[Player]:
    """A player that is closed in the end."""
    made = make("claims")
    yield made
    await made.close()


@pytest.fixture
def table() -> Table:
    """A fresh table."""
    return Table()


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def warmed_up() -> None:
    """gRPC has opened what it keeps open for as long as the loop lives."""
    channel = connect("unix:/nobody/listens")
    with pytest.raises(grpc.aio.AioRpcError):
        await HealthStub(channel).Check(HealthCheckRequest())
    await channel.close()


@pytest.fixture
def servers_here() -> bool:
    """Whether the bots' servers run in the test's own process; modules say so themselves."""
    return False


@pytest_asyncio.fixture(loop_scope="session", autouse=True)
async def nothing_left_behind(warmed_up: None, servers_here: bool) -> AsyncIterator[None]:
    """After each test no task runs on, and no more descriptors are open than before."""
    before = _descriptors()
    yield
    for _ in range(100):
        if not (left := _leftovers(before)):
            return
        if servers_here:
            # They leave cycles behind, and with them their ends of the connections.
            gc.collect()
        await asyncio.sleep(0.02)
    assert not left


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _leftovers(before: int) -> list[str]:
    tasks = [repr(task) for task in asyncio.all_tasks() - {asyncio.current_task()}]
    grown = _descriptors() - before
    return tasks + ([f"{grown} descriptors"] if grown > 0 else [])
