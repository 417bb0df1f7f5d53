"""One thread for work that may take long, for which no process waits at its end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")


class Background:
    """Does one thing after the other, in the order in which they are asked for.

    Unlike that of a ThreadPoolExecutor its thread doesn't keep the process alive: only work that
    may be cut off anywhere belongs here.
    """

    def __init__(self, name: str) -> None:
        """`name` is the thread's."""
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._ended = False
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def submit(self, work: Callable[[], T], /) -> Future[T]:
        """Do it, once all before it is done."""
        coming: Future[T] = Future()

        def do() -> None:
            if self._ended:
                coming.cancel()
            if coming.set_running_or_notify_cancel():
                try:
                    value = work()
                except BaseException as error:
                    coming.set_exception(error)
                else:
                    coming.set_result(value)

        self._queue.put(do)
        return coming

    def end(self) -> None:
        """Begin with nothing more; what hasn't begun is cancelled."""
        self._ended = True
        self._queue.put(None)

    def _work(self) -> None:
        while (do := self._queue.get()) is not None:
            do()
