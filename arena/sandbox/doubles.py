"""Test doubles that ship with the room, for tests of whatever builds on sandboxes.

FixedSandbox     hands back an address at which the test itself serves
SlowSandbox      starts late
SilentSandbox    its bots never come to listen
DyingSandbox     its bots end by themselves after a while
LostSandbox      its engine gets lost, at once or when told
"""

import asyncio

from arena.sandbox.api import Ending, Launch, RunningBot, RunReport, Sandbox
from arena.sandbox.endings import sentence
from arena.sandbox.errors import EngineUnavailable, StartFailed


def _report(launch: Launch, ending: Ending, exit_code: int | None = None) -> RunReport:
    detail = sentence(ending, launch.limits, exit_code=exit_code)
    return RunReport(ending, exit_code, None, "", detail)


class FixedSandbox:
    """Starts nothing, and hands back one address for every launch."""

    def __init__(self, address: str) -> None:
        """`address` is a gRPC target at which somebody listens, or not."""
        self.address = address
        self.launches: list[Launch] = []
        self.running: set[FixedBot] = set()

    async def start(self, launch: Launch, *, timeout: float) -> "FixedBot":  # noqa: ASYNC109, ARG002
        """See `Sandbox.start`; never fails."""
        self.launches.append(launch)
        bot = FixedBot(self, launch)
        self.running.add(bot)
        return bot

    async def close(self) -> None:
        """Stop what still runs."""
        for bot in list(self.running):
            await bot.stop()


class FixedBot:
    """A bot that nobody started."""

    meter = None

    def __init__(self, sandbox: FixedSandbox, launch: Launch) -> None:
        """Use `FixedSandbox.start`."""
        self.address = sandbox.address
        self._sandbox = sandbox
        self._launch = launch
        self.places: list[str] = []

    def mark(self, place: str) -> None:
        """Keep it for whoever asks."""
        self.places.append(place)

    async def report(self) -> RunReport:
        """It runs until it is stopped."""
        runs = self in self._sandbox.running
        return _report(self._launch, Ending.RUNNING if runs else Ending.STOPPED)

    async def stop(self) -> RunReport:
        """Take note of the stop."""
        self._sandbox.running.discard(self)
        return await self.report()


class SlowSandbox:
    """Another sandbox on a slow machine: the delay is ours and leaves the bot its whole time."""

    def __init__(self, inner: Sandbox, delay: float) -> None:
        """`delay` in seconds before each start."""
        self._inner = inner
        self._delay = delay

    async def start(self, launch: Launch, *, timeout: float) -> RunningBot:  # noqa: ASYNC109
        """See `Sandbox.start`."""
        await asyncio.sleep(self._delay)
        return await self._inner.start(launch, timeout=timeout)

    async def close(self) -> None:
        """Close the inner sandbox."""
        await self._inner.close()


class SilentSandbox:
    """Its bots run but never make a socket."""

    async def start(self, launch: Launch, *, timeout: float) -> RunningBot:  # noqa: ARG002, ASYNC109
        """Wait the bot's whole time, then raise `StartFailed`."""
        await asyncio.sleep(timeout)
        detail = f"made no socket within {timeout:g} s"
        raise StartFailed(RunReport(Ending.STOPPED, None, None, "", detail))

    async def close(self) -> None:
        """Nothing runs."""


class DyingSandbox:
    """Another sandbox whose bots end by themselves some time after their start."""

    def __init__(
        self,
        inner: Sandbox,
        *,
        after: float,
        ending: Ending = Ending.EXITED,
        exit_code: int | None = 1,
    ) -> None:
        """`after` in seconds from the return of `start`; the rest is what the report will say."""
        self._inner = inner
        self._after = after
        self._ending = ending
        self._exit_code = exit_code

    async def start(self, launch: Launch, *, timeout: float) -> "DyingBot":  # noqa: ASYNC109
        """See `Sandbox.start`."""
        bot = await self._inner.start(launch, timeout=timeout)
        return DyingBot(bot, self._after, _report(launch, self._ending, self._exit_code))

    async def close(self) -> None:
        """Close the inner sandbox."""
        await self._inner.close()


class DyingBot:
    """A bot with little time left."""

    def __init__(self, inner: RunningBot, after: float, last: RunReport) -> None:
        """Use `DyingSandbox.start`."""
        self.address = inner.address
        self.meter = inner.meter
        self._inner = inner
        self._last = last
        self._dying = False
        self._death = asyncio.ensure_future(self._die(after))

    async def _die(self, after: float) -> None:
        await asyncio.sleep(after)
        self._dying = True
        await self._inner.stop()

    def mark(self, place: str) -> None:
        """As the inner bot does."""
        self._inner.mark(place)

    async def report(self) -> RunReport:
        """Its own end once that has come."""
        if self._dying:
            await self._death
            return self._last
        return await self._inner.report()

    async def stop(self) -> RunReport:
        """Stop it, if it still runs."""
        if self._dying:
            await self._death
            return self._last
        self._death.cancel()
        return await self._inner.stop()


class LostSandbox:
    """Another sandbox whose engine gets lost, together with all bots."""

    def __init__(self, inner: Sandbox, *, lost: bool = False) -> None:
        """`lost`: from the beginning."""
        self._inner = inner
        self._bots: list[RunningBot] = []
        self.lost = lost

    async def lose(self) -> None:
        """Lose the engine now: bots go silent, and new ones can't be started."""
        self.lost = True
        for bot in self._bots:
            await bot.stop()

    async def start(self, launch: Launch, *, timeout: float) -> "LostBot":  # noqa: ASYNC109
        """See `Sandbox.start`; raises `EngineUnavailable` once lost."""
        if self.lost:
            raise EngineUnavailable("the container engine doesn't answer (a test double's)")
        bot = await self._inner.start(launch, timeout=timeout)
        self._bots.append(bot)
        return LostBot(self, bot, launch)

    async def close(self) -> None:
        """Close the inner sandbox."""
        await self._inner.close()


class LostBot:
    """A bot of a sandbox that may lose its engine."""

    def __init__(self, sandbox: LostSandbox, inner: RunningBot, launch: Launch) -> None:
        """Use `LostSandbox.start`."""
        self.address = inner.address
        self.meter = inner.meter
        self._sandbox = sandbox
        self._inner = inner
        self._launch = launch
        self._final: RunReport | None = None

    def mark(self, place: str) -> None:
        """As the inner bot does."""
        self._inner.mark(place)

    async def report(self) -> RunReport:
        """ENGINE_LOST once lost."""
        if self._final is not None:
            return self._final
        if self._sandbox.lost:
            return _report(self._launch, Ending.ENGINE_LOST)
        return await self._inner.report()

    async def stop(self) -> RunReport:
        """Stop it, and remember how it ended."""
        if self._final is None:
            lost = self._sandbox.lost
            stopped = await self._inner.stop()
            self._final = _report(self._launch, Ending.ENGINE_LOST) if lost else stopped
        return self._final
