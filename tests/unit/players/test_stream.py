"""One question on a stream whose call does what a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any, cast

import grpc
import pytest

from arena.match.faults import MatchStalled
from arena.players.stream import Stream
from arenabot.v1 import player_pb2 as player


class Stuck:
    """A channel whose call gets no message through, and brings none until it is cancelled."""

    def __init__(self) -> None:
        self._cancelled = asyncio.Event()

    def stream_stream(self, *_: Any, **__: Any) -> Callable[..., Stuck]:
        return lambda **_: self

    def add_done_callback(self, _: object) -> None:
        """It is never done."""

    async def write(self, _: object) -> None:
        await asyncio.Event().wait()

    async def read(self) -> None:
        await self._cancelled.wait()
        raise asyncio.CancelledError

    def cancel(self) -> None:
        self._cancelled.set()

    async def close(self) -> None:
        """Nothing is held."""


class Starving:
    """The meter of a bot that always waits for a CPU."""

    def cpu(self) -> float:
        return 0.0

    def mark(self) -> float:
        return monotonic()

    def waited(self, mark: float) -> float:
        return monotonic() - mark

    def stopwatch(self) -> Callable[[float], float]:
        return lambda _: 0.0

    def held(self) -> bool:
        return False


async def test_a_stalled_question_that_was_not_even_handed_over_ends() -> None:
    """The match is void then, rather than waiting for a write that comes to no end."""
    stream = Stream(cast("grpc.aio.Channel", Stuck()), 1800, Starving())
    with pytest.raises(MatchStalled, match="too much to do"):
        async with asyncio.timeout(30):
            await stream.ask(player.PlayRequest(seq=1), 0.05)
    await stream.close()
