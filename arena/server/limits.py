"""How much a caller may ask for: calls by token bucket, and open streams."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from arena.server.refusals import Refused
from arenabot.v1 import arena_pb2 as pb

_MOST: Final = 10_000
"""How many callers are remembered: the ones that were heard of last."""


class Buckets:
    """A bucket for each caller, which fills again with time."""

    def __init__(
        self, per_second: float, size: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`size` calls at once, `per_second` of them on average."""
        self._per_second = per_second
        self._size = size
        self._clock = clock
        #: By caller: what was left, and when.
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str, cost: float = 1) -> float:
        """Take `cost` out. Returns 0, or the seconds until there is enough: then nothing is taken.

        What costs more than a bucket holds takes a full one.
        """
        now = self._clock()
        left, cost = self._now(who, now), min(cost, self._size)
        if left < cost:
            return (cost - left) / self._per_second
        self._left[who] = (left - cost, now)
        self._left.move_to_end(who)
        if len(self._left) > _MOST:
            self._left.popitem(last=False)
        return 0.0

    def empty(self, who: str) -> float:
        """0, or the seconds until something can be taken out again."""
        return max(0.0, 1 - self._now(who, self._clock())) / self._per_second

    def _now(self, who: str, now: float) -> float:
        left, then = self._left.get(who, (self._size, now))
        return min(self._size, left + (now - then) * self._per_second)


class Open:
    """How many streams each caller has open."""

    def __init__(self, most: int) -> None:
        """At most `most` each."""
        self._most = most
        self._open: Counter[str] = Counter()

    @contextmanager
    def one_more(self, who: str) -> Iterator[None]:
        """Have another one open. Raises Refused."""
        if self._open[who] >= self._most:
            raise Refused(
                pb.REASON_RATE_LIMITED,
                f"{self._most} streams are open at once already: end one of them first",
                again_in=1,
            )
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]
