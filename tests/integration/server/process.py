"""`arena serve` as a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_PATIENCE = 90
"""Seconds for what takes a few where nothing else runs."""

ARENA = (sys.executable, "-c", "from arena.cli.entry import main; main()")
"""How the program is called."""

#: The same, but nothing is played, and stopping takes as long as its bound allows.
SLOW = (
    sys.executable,
    "-c",
    """
import asyncio, sys
from arena.cli import main
from arena.server import serve
from tests.integration.server.calling import QuietConductor

class Slow(QuietConductor):
    def __init__(self, store, **_):
        super().__init__(store)
    async def drain(self, bound):
        await super().drain(bound)
        await asyncio.sleep(bound)

serve.Conductor = Slow
sys.exit(main.run(sys.argv[1:]))
""",
)


@dataclass
class Server:
    """A running server and where it is reached."""

    process: subprocess.Popen[str]
    #: Where it writes its log.
    log: Path
    target: str
    web: str

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    def ended(self, seconds: float = _PATIENCE) -> int:
        """Wait for its end; its exit code."""
        return self.process.wait(seconds)


@contextmanager
def serving(
    home: Path, *more: str, program: tuple[str, ...] = ARENA, **settings: str
) -> Iterator[Server]:
    """A server on the store in `home`, on free ports unless `settings` say otherwise."""
    home.mkdir(parents=True, exist_ok=True)
    log = home.parent / f"{home.name}.log"
    with log.open("a") as errors:
        process = subprocess.Popen(
            [*program, "serve", *more],
            env=environment(home, settings),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.match(r"gRPC at (\S+?)(?: \(TLS\))?, HTTP at (\S+)", line)
        assert found, f"{line!r}; {log.read_text()}"
        yield Server(process, log, *found.groups())
    finally:
        process.kill()
        process.wait()
        process.stdout.close()  # type: ignore[union-attr]


def refused_to_serve(home: Path, *more: str, **settings: str) -> tuple[int, str]:
    """Try to serve where that can't be: the exit code and what was said."""
    done = subprocess.run(
        [*ARENA, "serve", *more],
        env=environment(home, settings),
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


def environment(home: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """This process's own, with settings by their keys."""
    chosen = {"home": str(home), "port": "0", "web_port": "0", "workers": "1"}
    chosen |= {"drain_seconds": "0", **settings}
    return {**os.environ, **{f"ARENA_{key.upper()}": value for key, value in chosen.items()}}
