"""Signals that end a command: the first one stops it, and those after it do not break its end.

Who presses Ctrl-C once more while a command stops its match workers and closes its store would
only leave some of that undone.  That end takes seconds at most; SIGKILL remains for who won't wait.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, Final, TypeVar

_ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_Result = TypeVar("_Result")
_Handler = Callable[[int, FrameType | None], None]


def hear() -> None:
    """Raise KeyboardInterrupt at the first signal that ends programs, whichever it is.

    What whoever started us wants to be ignored stays ignored: a shell does so with Ctrl-C for what
    runs in the background, ``nohup`` with a lost terminal.
    """
    for number in _ENDING:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _interrupt)


def run(work: Coroutine[Any, Any, _Result]) -> _Result:
    """``asyncio.run``, in which the first signal cancels ``work`` and lets it come to its end.

    Raises KeyboardInterrupt then, and otherwise what ``work`` raises.
    """
    # Loading it takes longer than all that comes before `hear`.
    import asyncio  # noqa: PLC0415

    stopped = False

    async def stoppable() -> _Result:
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        assert task is not None  # noqa: S101 - a coroutine that runs is one

        def stop(*_: object) -> None:
            nonlocal stopped
            stopped = True
            _replace(stop, _nothing)
            loop.call_soon_threadsafe(task.cancel)

        _replace(_interrupt, stop)
        try:
            return await work
        finally:
            _replace(stop, _interrupt)

    try:
        return asyncio.run(stoppable())
    except asyncio.CancelledError:
        if not stopped:
            raise
        raise KeyboardInterrupt from None


def _interrupt(*_: object) -> None:
    _replace(_interrupt, _nothing)
    raise KeyboardInterrupt


def _nothing(*_: object) -> None:
    """Not SIG_IGN, which the programs that we start would inherit."""


def _replace(handler: _Handler, by: _Handler) -> None:
    for number in _ENDING:
        if signal.getsignal(number) is handler:
            signal.signal(number, by)
