"""What measuring and freezing cost a move: an honest bot in a container, asked with and without.

All sides ask the same bot the same questions by turns, each on a stream of its own: without any
meter, with its own time measured, with its thinking out of turn watched too (what the match workers
do), and with the bot held still between its turns, as one is that was found out.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

from arena.app import contestants, lodging
from arena.app.home import instance, open_store
from arena.app.samples import sample_bot
from arena.match.clock import Ourselves
from arena.match.play import play_match
from arena.match.player import Answer, Player, PlayerReport
from arena.match.setup import MatchSetup, SeatInfo
from arena.players.remote import RemotePlayer
from arena.sandbox.api import Launch, RunningBot, Sandbox
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.meter import OwnMeter
from arena.sandbox.process import ProcessSandbox
from arena.tournament.job import Lodging, SeatJob
from arena.tournament.pondering import Ponder, Pondering
from arenabot.anygame import AnyEvent, AnyPrompt
from arenabot.bots import MatchInfo
from arenabot.events import Result
from arenabot.options import ClaimsOptions
from benches._harness import Table, by_turns, rows

_ROUNDS = 15
_SEATS = 2
_START = 30.0
_OURS = Ourselves(OwnMeter())


class _Asked:
    """A player that keeps how long each move took, thawing and freezing included."""

    def __init__(
        self, player: RemotePlayer, pondering: Pondering | None, took: list[float]
    ) -> None:
        self._player = player
        self._pondering = pondering
        self._took = took

    async def start(self, match_id: str, info: MatchInfo, seconds: float) -> None:
        await self._player.start(match_id, info, seconds)

    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        began = time.perf_counter()
        if self._pondering is not None:
            self._pondering.begin()
        answer = await self._player.turn(news, prompt, seconds)
        if self._pondering is not None and answer.measured is not None:
            self._pondering.rest(answer.measured.cpu)
        self._took.append(time.perf_counter() - began)
        return answer

    async def ready(self, news: Sequence[AnyEvent], seconds: float) -> float:
        if self._pondering is not None:
            self._pondering.begin()
        return await self._player.ready(news, seconds)

    async def end(self, news: Sequence[AnyEvent], result: Result) -> None:
        if self._pondering is not None:
            self._pondering.begin()
        await self._player.end(news, result)

    async def close(self) -> PlayerReport:
        return await self._player.close()


Made = Callable[[RunningBot, list[float]], Player]


def _bare(bot: RunningBot, took: list[float]) -> Player:
    return _Asked(RemotePlayer(bot.address), None, took)


def _metered(bot: RunningBot) -> RemotePlayer:
    return RemotePlayer(bot.address, meter=bot.meter, ours=_OURS)


def _timed(bot: RunningBot, took: list[float]) -> Player:
    return _Asked(_metered(bot), None, took)


def _watched(bot: RunningBot, took: list[float]) -> Player:
    return _Asked(_metered(bot), Pondering(bot.meter, Ponder.FREEZE), took)


def _held(bot: RunningBot, took: list[float]) -> Player:
    pondering = Pondering(bot.meter, Ponder.FREEZE)
    pondering.held = True
    return _Asked(_metered(bot), pondering, took)


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
            sides: dict[str, Made] = {
                "not measured": _bare,
                "own time measured": _timed,
                "and watched out of turn": _watched,
            }
            if all(bot.meter is not None and bot.meter.can_freeze for bot in running):
                sides["held still between turns"] = _held

            cpu: dict[str, list[float]] = {name: [] for name in sides}

            def side(name: str) -> Callable[[], float]:
                return lambda: runner.run(_match(running, sides[name], cpu[name]))

            samples = by_turns({name: side(name) for name in sides}, _ROUNDS)
        finally:
            runner.run(_closed(sandbox.close()))
    yield Table(
        f"a move of an honest bot in {lodged.value}",
        "us",
        rows(samples, {name: {"our CPU": statistics.median(used)} for name, used in cpu.items()}),
        "medians of a match's moves, from the question to its answer; CPU with the whole match",
    )


async def _closed(closing: Awaitable[None]) -> None:
    await closing


async def _start(sandbox: Sandbox, seat: SeatJob) -> RunningBot:
    return await sandbox.start(Launch("bench", seat.artifact, seat.command), timeout=_START)


async def _match(bots: Sequence[RunningBot], make: Made, cpu: list[float]) -> float:
    took: list[float] = []
    before = time.process_time()
    seats = tuple(SeatInfo("bench", "1", "") for _ in bots)
    setup = MatchSetup("bench", "claims", ClaimsOptions(), bytes(32), seats)
    await play_match(setup, [make(bot, took) for bot in bots])
    cpu.append((time.process_time() - before) / len(took) * 1e6)
    return statistics.median(took) * 1e6
