"""What measuring and freezing cost a move: an honest bot in a container, asked with and without.

Each match is played with all sides, which take its questions by turns: without any meter, with its
own time measured, with its thinking out of turn watched too (what the match workers do), and with
the bot held still between its turns, as one is that was found out. So each side meets the same bot,
the same messages and the same load of the machine.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from arena.app.bots import contestants, lodging
from arena.app.bots.samples import sample_bot
from arena.app.home import instance, open_store
from arena.match.clock import Ourselves
from arena.match.play import play_match
from arena.match.player import Answer
from arena.match.setup import MatchSetup, SeatInfo
from arena.players.remote import RemotePlayer
from arena.sandbox.api import Launch, RunningBot, Sandbox
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.meter import OwnMeter
from arena.sandbox.process import ProcessSandbox
from arena.tournament.job import Lodging, SeatJob
from arena.tournament.pondering import Ponder, Pondering
from arenabot.anygame import AnyEvent, AnyPrompt
from arenabot.events import Result
from arenabot.options import ClaimsOptions
from benches._harness import Table, rows

_ROUNDS = 15
_SEATS = 2
_START = 30.0
_OURS = Ourselves(OwnMeter())
_UNMEASURED = Ourselves()


class _Way(NamedTuple):
    """One way to ask a question."""

    name: str
    measured: bool
    watched: bool = False
    held: bool = False


_WAYS: Final = (
    _Way("not measured", measured=False),
    _Way("own time measured", measured=True),
    _Way("and watched out of turn", measured=True, watched=True),
    _Way("held still between turns", measured=True, held=True),
)


def _shuffled(ways: Sequence[_Way]) -> Iterator[_Way]:
    while True:
        yield from random.sample(ways, len(ways))


class _Took(NamedTuple):
    """What a question took, thawing and freezing included."""

    wall: float
    cpu: float


class _Asked(RemotePlayer):
    """Asks each question in another way, and keeps what it took."""

    def __init__(self, bot: RunningBot, ways: Sequence[_Way], took: dict[str, list[_Took]]) -> None:
        super().__init__(bot.address, meter=bot.meter, ours=_OURS)
        self._bot = bot
        self._order = _shuffled(ways)
        self._way = next(self._order)
        self._took = took
        self._watching = Pondering(bot.meter, Ponder.FREEZE)
        self._holding = Pondering(bot.meter, Ponder.FREEZE)
        self._holding.held = True

    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        way = self._way
        pondering = self._watching if way.watched else self._holding if way.held else None
        stream = self._opened()
        stream._meter = self._bot.meter if way.measured else None
        stream._ours = _OURS if way.measured else _UNMEASURED
        wall, cpu = time.perf_counter(), time.process_time()
        if pondering is not None:
            pondering.begin()
        answer = await super().turn(news, prompt, seconds)
        used = None if answer.measured is None else answer.measured.cpu
        if pondering is not None:
            pondering.rest(used)
        took = _Took(time.perf_counter() - wall, time.process_time() - cpu)
        self._took[way.name].append(took)
        if not way.watched:  # or it would look like thinking on others' time
            self._watching.rest(used or took.wall)
        self._way = next(self._order)
        if self._way.held and not way.held:
            self._holding.rest(None)
        elif way.held and not self._way.held:
            self._holding.begin()
        return answer

    async def ready(self, news: Sequence[AnyEvent], seconds: float) -> float:
        self._holding.begin()
        with self._watching.own_time():
            return await super().ready(news, seconds)

    async def end(self, news: Sequence[AnyEvent], result: Result) -> None:
        self._holding.begin()
        await super().end(news, result)


def bench() -> Iterator[Table]:
    """One table."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-arena-") as home,
        open_store(Path(home)) as store,
        instance(store, containers=True) as member,
        asyncio.Runner() as runner,
    ):
        lodged = lodging.choose(member, lambda text: print(text, file=sys.stderr)).lodging
        bots = contestants.find_all(store, [str(sample_bot("random"))] * _SEATS, "claims")
        seats = lodging.prepare(store, member, bots, lodging=lodged, game="claims")
        sandbox: Sandbox = (
            DockerSandbox(member) if lodged is Lodging.DOCKER else ProcessSandbox(member)
        )
        try:
            running = [runner.run(_start(sandbox, seat)) for seat in seats]
            freezes = all(bot.meter is not None and bot.meter.can_freeze for bot in running)
            ways = [way for way in _WAYS if freezes or not way.held]
            runner.run(_match(running, ways))  # does not count
            matches = [runner.run(_match(running, ways)) for _ in range(_ROUNDS)]
        finally:
            runner.run(_closed(sandbox.close()))
    walls, cpus = (
        {
            way.name: [
                statistics.median(one[at] for one in took[way.name]) * 1e6 for took in matches
            ]
            for way in ways
        }
        for at in range(2)
    )
    moves = sum(len(took[ways[0].name]) for took in matches)
    yield Table(
        f"a move of an honest bot in {lodged.value}",
        "us",
        rows(walls, {name: {"our CPU": statistics.median(used)} for name, used in cpus.items()}),
        f"from question to answer: medians of matches' medians, of {moves} moves a side in all",
    )


async def _closed(closing: Awaitable[None]) -> None:
    await closing


async def _start(sandbox: Sandbox, seat: SeatJob) -> RunningBot:
    return await sandbox.start(Launch("bench", seat.artifact, seat.command), timeout=_START)


async def _match(bots: Sequence[RunningBot], ways: Sequence[_Way]) -> dict[str, list[_Took]]:
    took: dict[str, list[_Took]] = {way.name: [] for way in ways}
    seats = tuple(SeatInfo("bench", "1", "") for _ in bots)
    setup = MatchSetup("bench", "claims", ClaimsOptions(), bytes(32), seats)
    await play_match(setup, [_Asked(bot, ways, took) for bot in bots])
    return took
