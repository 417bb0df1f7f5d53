"""Steps that are done to their end."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from structlog.testing import capture_logs

from arena.tournament.uncut import uncut


async def test_a_step_that_fails_after_its_cancellation_is_told_once() -> None:
    """Whoever waited is cancelled; the failure is one line of the log and no stray exception."""
    stray: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: stray.append(context))
    begun, go = asyncio.Event(), asyncio.Event()

    async def step() -> None:
        begun.set()
        await go.wait()
        raise ValueError("it takes no more results")

    waiting = asyncio.create_task(uncut(step()))
    await begun.wait()
    waiting.cancel()
    with capture_logs() as logged:
        asyncio.get_running_loop().call_soon(go.set)
        with pytest.raises(asyncio.CancelledError):
            await waiting
    del waiting
    gc.collect()
    await asyncio.sleep(0)
    assert stray == []
    assert [line["why"] for line in logged] == ["it takes no more results"]
