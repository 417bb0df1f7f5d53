"""A seat's player where its bot runs in a sandbox: the one place that knows both rooms."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from arena.match.clock import Ourselves
from arena.match.faults import FaultKind, MatchVoid, PlayerFault, PlayerGone
from arena.match.player import Answer, PlayerReport
from arena.players.remote import RemotePlayer
from arena.sandbox.api import Ending, Launch, RunningBot, RunReport, Sandbox
from arena.sandbox.errors import SandboxFailed, StartFailed
from arena.tournament.places import Places
from arena.tournament.pondering import Ponder, Pondering
from arenabot.anygame import AnyEvent, AnyPrompt
from arenabot.bots import MatchInfo
from arenabot.events import Result


class Stable(Protocol):
    """Where running bots come from and go to."""

    async def take(self, launch: Launch, seconds: float) -> RunningBot:
        """Get a bot that listens; raises what ``Sandbox.start`` raises."""

    async def give_back(self, launch: Launch, bot: RunningBot, *, clean: bool) -> RunReport:
        """Be done with a bot; ``clean`` says that it played its match to the end in order."""


class FreshStable:
    """Every match gets new bots, and they are gone after it."""

    def __init__(self, sandbox: Sandbox) -> None:
        """Take bots from ``sandbox``."""
        self._sandbox = sandbox

    async def take(self, launch: Launch, seconds: float) -> RunningBot:
        """Start one."""
        return await self._sandbox.start(launch, timeout=seconds)

    async def give_back(self, launch: Launch, bot: RunningBot, *, clean: bool) -> RunReport:  # noqa: ARG002
        """Stop it."""
        return await bot.stop()


class WarmStable:
    """Bots stay between matches, one for each bot and slot: for trusted bots only."""

    def __init__(self, sandbox: Sandbox) -> None:
        """Take bots from ``sandbox`` where none is idle."""
        self._sandbox = sandbox
        self._idle: dict[tuple[str, tuple[str, ...]], list[RunningBot]] = {}

    async def take(self, launch: Launch, seconds: float) -> RunningBot:
        """Take an idle one of the same version, or start one."""
        idle = self._idle.get((launch.artifact, launch.command), [])
        while idle:
            bot = idle.pop()
            if (await bot.report()).ending is Ending.RUNNING:
                return bot
            await bot.stop()
        return await self._sandbox.start(launch, timeout=seconds)

    async def give_back(self, launch: Launch, bot: RunningBot, *, clean: bool) -> RunReport:
        """Keep it if it is in order, else stop it."""
        if not clean:
            return await bot.stop()
        self._idle.setdefault((launch.artifact, launch.command), []).append(bot)
        return await bot.report()


@dataclass(frozen=True, slots=True)
class Terms:
    """What a worker's bots share: one core, and one way to be timed."""

    #: Held while a turn is open, so that no more bots think at once than there are cores.
    core: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    #: Whether the worker itself ran meanwhile.
    ours: Ourselves = field(default_factory=Ourselves)


class SandboxedPlayer:
    """Plays one match through a bot in a sandbox; see ``arena.match.player.Player``."""

    def __init__(
        self, stable: Stable, launch: Launch, terms: Terms, ponder: Ponder = Ponder.FREEZE
    ) -> None:
        """Nothing is started before ``start``."""
        self._stable = stable
        self._launch = launch
        self._terms = terms
        self._ponder = ponder
        #: Nothing is watched before the bot is ready.
        self._pondering = Pondering(None, ponder)
        self._bot: RunningBot | None = None
        self._remote: RemotePlayer | None = None
        self._places = Places()
        self._place = "the start"
        self._played_to_the_end = False
        #: What is known of a bot that did not get as far as running.
        self._report = PlayerReport()

    async def start(self, match_id: str, info: MatchInfo, seconds: float) -> None:
        """Start the bot and wait until it can be asked, within ``seconds`` of its own time."""
        try:
            self._bot = await self._stable.take(self._launch, seconds)
        except StartFailed as failed:
            self._report = _player_report(failed.report)
            raise _gone(failed.report, FaultKind.NEVER_STARTED) from None
        except SandboxFailed as failed:
            raise MatchVoid(failed.detail) from None
        self._bot.mark(f"match {match_id}")
        began = time.monotonic()
        self._remote = RemotePlayer(
            self._bot.address,
            diagnose=self._diagnose,
            meter=self._bot.meter,
            ours=self._terms.ours,
        )
        await self._remote.start(match_id, info, max(0.05, seconds - (time.monotonic() - began)))
        self._pondering = Pondering(self._bot.meter, self._ponder)

    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        """Ask the bot."""
        self._come_to(self._places.follow(news))
        remote = self._connected()
        async with self._terms.core:
            self._pondering.begin()
            measured = None
            try:
                answer = await remote.turn(news, prompt, seconds)
                measured = answer.measured
            except PlayerFault as fault:
                measured = fault.measured
                raise
            finally:
                self._pondering.rest(None if measured is None else measured.cpu)
            return answer

    async def ready(self, news: Sequence[AnyEvent], seconds: float) -> float:
        """Ask the bot."""
        self._come_to(self._places.follow(news))
        remote = self._connected()
        with self._pondering.own_time():
            return await remote.ready(news, seconds)

    async def end(self, news: Sequence[AnyEvent], result: Result) -> None:
        """Tell the bot."""
        self._come_to("the end of the match")
        remote = self._connected()
        self._pondering.begin()
        await remote.end(news, result)
        self._played_to_the_end = True

    async def close(self) -> PlayerReport:
        """Hang up, and be done with the bot."""
        bot, self._bot = self._bot, None
        try:
            if self._remote is not None:
                await self._remote.close()
        finally:
            if bot is not None:
                pondering = self._pondering
                pondered = pondering.seconds
                report = await self._stable.give_back(
                    self._launch, bot, clean=self._played_to_the_end
                )
                self._report = replace(
                    _player_report(report), pondered=pondered, held=pondering.held
                )
        return self._report

    def _come_to(self, place: str) -> None:
        self._place = place
        if self._bot is not None:
            self._bot.mark(place)

    def _connected(self) -> RemotePlayer:
        if self._remote is None:
            raise RuntimeError("a player was asked before it was started")
        return self._remote

    async def _diagnose(self) -> PlayerGone | None:
        """Say why a bot's stream broke, where its sandbox knows; ``MatchVoid`` if we did it."""
        if self._bot is None:
            return None
        report = await self._bot.report()
        if report.ending is Ending.ENGINE_LOST:
            raise MatchVoid(report.detail)
        if report.ending in (Ending.RUNNING, Ending.STOPPED):
            return None
        return _gone(report, FaultKind.CRASHED, f" in {self._place}")


def _gone(report: RunReport, otherwise: FaultKind, place: str = "") -> PlayerGone:
    kind = FaultKind.OUT_OF_MEMORY if report.ending is Ending.OUT_OF_MEMORY else otherwise
    return PlayerGone(kind, report.detail + place)


def _player_report(report: RunReport) -> PlayerReport:
    return PlayerReport(log=report.log, peak_memory=report.peak_memory)
