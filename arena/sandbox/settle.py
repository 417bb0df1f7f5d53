"""Telling an end from a broken connection."""

import asyncio
from typing import Final

from arena.sandbox.api import Ending, RunningBot, RunReport

_FIRST_WAIT: Final = 0.005


async def settled(bot: RunningBot, *, within: float) -> RunReport:
    """The bot's report once its end shows, or after `within` seconds as it then is.

    To be asked when a bot's connection breaks: its socket is closed some milliseconds before the
    system knows how it ended, and a bot that is stopped in between would seem to be well.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + within
    wait = _FIRST_WAIT
    report = await bot.report()
    while report.ending is Ending.RUNNING and loop.time() < deadline:
        await asyncio.sleep(wait)
        wait *= 2
        report = await bot.report()
    return report
