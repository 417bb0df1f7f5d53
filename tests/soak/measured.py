"""What tests of load measure: how long calls took, what was refused, what a process holds."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

import grpc

from tests.integration.server.calling import reason_of

_EVERY = 0.5
"""Seconds between two looks at a process."""


@dataclass
class Calls:
    """All calls of a run."""

    #: By call: the seconds that each took that was answered.
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    #: Calls that failed, by name, status and reason.
    errors: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def timed(self, call: str) -> Iterator[None]:
        """Time what is done here, if it does not fail."""
        began = time.monotonic()
        yield
        self.seconds[call].append(time.monotonic() - began)

    def failed(self, call: str, error: grpc.aio.AioRpcError) -> None:
        """Count an error."""
        reason = reason_of(error) or error.details()
        self.errors[f"{call}: {error.code().name} {reason}"] += 1

    def table(self) -> str:
        """Milliseconds by call, as Markdown."""
        lines = ["| call (ms) | n | median | 95 % | most |", "|---|---|---|---|---|"]
        for call, seconds in sorted(self.seconds.items()):
            most = max(seconds)
            high = quantiles(seconds, n=20)[-1] if len(seconds) > 1 else most
            shown = [f"{1000 * each:,.0f}" for each in (median(seconds), min(high, most), most)]
            lines.append(f"| {call} | {len(seconds)} | {' | '.join(shown)} |")
        return "\n".join(lines)


@dataclass
class Held:
    """What a process held: memory in MiB and open descriptors."""

    memory: float
    descriptors: int

    @classmethod
    def by(cls, pid: int) -> Held:
        """Now."""
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
        descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
        return cls(pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20), descriptors)

    def most(self, other: Held) -> Held:
        """The larger of each."""
        return Held(max(self.memory, other.memory), max(self.descriptors, other.descriptors))

    def __str__(self) -> str:
        return f"{self.memory:.0f} MiB, {self.descriptors} descriptors"


@asynccontextmanager
async def held_most(pid: int) -> AsyncIterator[list[Held]]:
    """Look at a process again and again; the one entry of the list is the most so far."""
    most = [Held.by(pid)]

    async def look() -> None:
        while True:
            await asyncio.sleep(_EVERY)
            most[0] = most[0].most(Held.by(pid))

    looking = asyncio.create_task(look())
    try:
        yield most
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking
