"""Steps that are done to their end once they are begun."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import structlog

log = structlog.get_logger()

T = TypeVar("T")


async def uncut(step: Coroutine[Any, Any, T]) -> T:
    """Do the step to its end, also when whoever waits for it is cancelled; that is raised then.

    A step that fails after that is logged, since nobody hears of it any more: a result that comes
    when its tournament was cancelled is refused by the store.
    """
    task = asyncio.ensure_future(step)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        if not task.cancelled() and (failed := task.exception()) is not None:
            log.warning("failed after it was cut off", why=str(failed))
        raise
