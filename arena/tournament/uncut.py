"""Steps that are done to their end once they are begun."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def uncut(step: Coroutine[Any, Any, T]) -> T:
    """Do the step to its end, also when whoever waits for it is cancelled; that is raised then."""
    task = asyncio.ensure_future(step)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise
