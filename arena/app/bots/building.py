"""Images for bots while a server runs: made one after the other, beside everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from arena.app.bots import lodging
from arena.app.bots.contestants import Contestant
from arena.sandbox.instance import Instance
from arena.tournament.job import SeatJob

# Not the event loop's own threads, which whoever waits for his turn here would take from all
# others; and one alone, so that what two need, the base image above all, is made once.
_BUILDER: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="images")


async def build(member: Instance, contestants: Sequence[Contestant]) -> list[SeatJob]:
    """Make the images of bots where they aren't there, all on one base image.

    Raises ImageError with one line for the operator.
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_BUILDER, lodging.images, member, contestants)
