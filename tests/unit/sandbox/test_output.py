"""A bot's output is read as it comes, within bounds, and knows its place."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator

import pytest

from arena.sandbox.output import Output


@pytest.fixture
async def output() -> AsyncIterator[Output]:
    """An output of which 64 KiB are kept."""
    made = Output(64 << 10)
    yield made
    made.close()


async def test_what_is_printed_in_a_place_says_so(output: Output) -> None:
    """A place comes before what is printed there, and one without output leaves no line."""
    bot = os.dup(output.writing)
    output.given()
    os.write(bot, b"hello\n")
    for place in ("round 1, turn 1", "round 1, turn 3", "round 2, turn 1"):
        output.place(place)
        if place.startswith("round 1"):
            os.write(bot, f"in {place}".encode())
    os.close(bot)
    output.close()
    assert output.text() == (
        "hello\n\x1e-- round 1, turn 1\nin round 1, turn 1\n\x1e-- round 1, turn 3\n"
        "in round 1, turn 3"
    )


async def test_what_was_printed_last_is_read_when_it_is_closed(output: Output) -> None:
    """Nothing that a bot has written is lost with it, as long as it fits."""
    bot = os.dup(output.writing)
    output.given()
    os.write(bot, b"x" * 100_000 + b"the end")
    os.close(bot)
    output.close()
    assert output.text().endswith("the end")
    assert len(output.text()) <= 64 << 10


async def test_a_bot_can_print_much_while_the_arena_is_busy(output: Output) -> None:
    """A quarter of a mebibyte fits before anybody reads."""
    os.set_blocking(output.writing, False)
    assert os.write(output.writing, b"x" * (1 << 18)) == 1 << 18


async def test_a_flood_is_read_at_a_bounded_rate(output: Output) -> None:
    """Who prints without end waits, and costs this process next to nothing."""
    bot = os.dup(output.writing)
    output.given()
    written = 0
    stop = threading.Event()

    def flood() -> None:
        nonlocal written
        while not stop.is_set():
            written += os.write(bot, b"y" * 65536)

    thread = threading.Thread(target=flood)
    thread.start()
    began, used = time.monotonic(), time.thread_time()
    await asyncio.sleep(0.5)
    took, used = time.monotonic() - began, time.thread_time() - used
    stop.set()
    await asyncio.sleep(0.05)
    thread.join()
    os.close(bot)
    # A pipe of 256 KiB is emptied at most every 10 ms.
    assert written <= (took + 0.1) * (1 << 18) * 100 + (1 << 20)
    assert used < took / 2


async def test_its_end_leaves_nothing_open(output: Output) -> None:
    """Both ends of the pipe are closed, whether or not a bot ever had one."""
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    other = Output(100)
    other.close()
    other.close()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
    assert other.text() == ""
