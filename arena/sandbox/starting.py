"""What all kinds of bots share: from a launch to a pinned socket, and nothing left on failure."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeVar

from arena.sandbox.api import Ending, RunReport
from arena.sandbox.errors import EngineUnavailable, SandboxFailed, StartFailed
from arena.sandbox.meter import Meter
from arena.sandbox.pinning import BotEndedError, NotASocketError, address_of, wait_for_socket

T = TypeVar("T")


class Startable(Protocol):
    """A bot on its way up. `stop` must cope with every step that `launch` did or did not reach."""

    async def launch(self) -> tuple[Path, int]:
        """Start the bot; returns its socket's folder and its user id.

        Raises `SandboxFailed`, `OSError`, or `BotEndedError` if its command can't be run.
        """
        ...

    @property
    def meter(self) -> Meter | None:
        """As in `RunningBot`, once it is launched."""
        ...

    async def running(self) -> bool:
        """Whether it runs still; called every few milliseconds."""
        ...

    async def stop(self) -> RunReport:
        """As in `RunningBot`."""
        ...


class Pinned:
    """What a bot of every kind keeps: its pinned socket, and its last report once it is stopped."""

    def __init__(self) -> None:
        """Nothing is started yet."""
        self.address = ""
        self.meter: Meter | None = None
        self._pinned: int | None = None
        self._lock = asyncio.Lock()
        self._final: RunReport | None = None

    def pin(self, descriptor: int) -> None:
        """Take over the pinned socket, whose address is the bot's from now on."""
        if self._final is not None:
            os.close(descriptor)
            raise _closed_meanwhile()
        self._pinned = descriptor
        self.address = address_of(descriptor)


async def bring_up(bot: Startable, timeout: float) -> int:  # noqa: ASYNC109 - see `Sandbox`
    """Launch the bot and wait for its socket; returns a pinned descriptor, or stops the bot.

    Raises what `Sandbox.start` raises.
    """
    try:
        folder, uid = await bot.launch()
        own_time = float if bot.meter is None else bot.meter.stopwatch()
        return await wait_for_socket(folder, uid, timeout, bot.running, own_time)
    except BotEndedError:
        raise _charge(await bot.stop()) from None
    except TimeoutError:
        raise _charge(await bot.stop(), f"made no socket within {timeout:g} s") from None
    except NotASocketError as error:
        raise _charge(await bot.stop(), f"made {error} in place of its socket") from None
    except OSError as error:
        await bot.stop()
        raise SandboxFailed(f"can't start a bot on this machine: {error}") from error
    except BaseException:
        await bot.stop()
        raise


def _closed_meanwhile() -> SandboxFailed:
    """What a start raises if its sandbox was closed before the end of it."""
    return SandboxFailed("the sandbox was closed while a bot was starting")


def _charge(report: RunReport, instead: str | None = None) -> StartFailed | SandboxFailed:
    """The bot's fault, unless its report says that it was ours."""
    if report.ending is Ending.ENGINE_LOST:
        return EngineUnavailable(f"a bot could not be started: it {report.detail}")
    if instead is None and report.ending is Ending.STOPPED:
        return _closed_meanwhile()
    # Where the bot's own end is known it says more than what was waited for in vain.
    if instead is None or report.ending is not Ending.STOPPED:
        return StartFailed(report)
    return StartFailed(replace(report, detail=instead))


async def in_thread(work: Callable[[], T]) -> T:
    """Run blocking work in a thread; a cancellation is raised only once the work has ended.

    What the work makes must be known to whoever cleans up, also after a cancellation. It is a
    future and not a task, because a loop that shuts down cancels all tasks, shielded or not.
    """
    future = asyncio.get_running_loop().run_in_executor(None, work)
    cancelled: asyncio.CancelledError | None = None
    while not future.done():
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled from future.exception()
    return future.result()
