"""The server as a process: from its settings to its end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any, Final

import structlog

from arena.app import accounts
from arena.app.conducting.conductor import Conductor
from arena.app.conducting.people import HouseRules
from arena.server.arena import Arena
from arena.server.listening import Listening
from arena.server.logs import logging_to
from arena.server.pruning import prune_daily
from arena.server.settings import Settings, load, misspelt
from arena.store import Store, default_folder
from arena.store.lease import Lease

_THREADS: Final = 32
"""How many calls may wait for the database at once."""

_SWITCH: Final = 0.001
"""Seconds after which a thread that computes lets others go on: a page that is made while a ranking
is worked out waits for so long each time that it has waited for the database."""

_log = structlog.get_logger("arena.server")


def serve(config: Path | None, tell: Callable[[str], None], warn: Callable[[str], None]) -> None:
    """Serve the arena's store until a signal ends it.

    The first signal lets what runs come to an end, within the bound that the settings have; the
    second one ends it at once, a third one without another step. `tell` hears where it serves,
    `warn` the first admin's token, and of variables that look misspelt.
    Raises WrongCall for wrong settings, ArenaError for addresses that can't be had, StoreServed if
    another server has the store, LeaseLost if this one has it no longer, StoreError.
    """
    settings = load(config, default_folder())
    for line in misspelt():
        warn(line)
    with logging_to(sys.stderr, settings), Store.open() as store, store.lease() as lease:
        secret = accounts.first_admin(store)
        if secret is not None:
            warn(f"there was no admin: {accounts.LOCAL!r} is one now; its token, shown this once:")
            warn(secret)
        asyncio.run(_serve(store, settings, lease, tell))


async def _serve(
    store: Store, settings: Settings, lease: Lease, tell: Callable[[str], None]
) -> None:
    sys.setswitchinterval(_SWITCH)
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS))
    signals = _Signals()
    asked = asyncio.create_task(signals.first.wait())
    again = asyncio.create_task(signals.second.wait())
    lost = asyncio.create_task(lease.until_lost())
    house = HouseRules(
        at_once=settings.people_at_once,
        ranked=settings.people_meet_ranked,
        budget=60 * settings.people_minutes,
    )
    conductor = Conductor(store, workers=settings.workers or None, house=house)
    listening = Listening(Arena(store, settings, conductor))
    async with AsyncExitStack() as ending:
        for task in (asked, again, lost):
            ending.callback(task.cancel)
        ending.push_async_callback(conductor.close)
        ending.push_async_callback(listening.stop, grace=0)
        listening.bind()
        await _unless(conductor.start(), asked, lost)
        if not (asked.done() or lost.done()):
            await listening.start()
            tell(listening.where)
            pruning = asyncio.create_task(prune_daily(store, settings))
            ending.callback(pruning.cancel)
            _log.info("serving", grpc=listening.port, web=listening.web_port, store=store.id)
            await asyncio.wait({asked, lost}, return_when=asyncio.FIRST_COMPLETED)
        _log.info("stopping", seconds=settings.drain_seconds)
        await listening.refuse()
        await _unless(conductor.drain(settings.drain_seconds), again, lost)
        await _unless(listening.stop(), again, lost)
    if lost.done() and not lost.cancelled():
        raise lost.result()
    _log.info("stopped")


async def _unless(work: Coroutine[Any, Any, None], *enders: asyncio.Task[Any]) -> None:
    """Do the work, unless one of the others is done before: then it is cut off."""
    task = asyncio.ensure_future(work)
    await asyncio.wait({task, *enders}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
        return
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


class _Signals:
    """How often somebody has asked us to end."""

    def __init__(self) -> None:
        self.first = asyncio.Event()
        self.second = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            # Not the loop's own way: when the loop has ended, what else is open is still closed.
            signal.signal(number, self._hear)

    def _hear(self, number: int, _: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._count, number)

    def _count(self, number: int) -> None:
        if not self.first.is_set():
            self.first.set()
        elif not self.second.is_set():
            self.second.set()
        else:
            os._exit(128 + number)
