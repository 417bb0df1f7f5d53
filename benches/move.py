"""A move through the player protocol beside a bare gRPC stream with messages of equal size.

Ours is the real thing: ``play_match`` with remote players, and bots made with the SDK.  A move is
everything from one question to the next: news and prompt written, sent, read and added up by the
bot, its decision, the way back, the deadline, the rules, the replay's line.  CPU times take in
the whole match, its start, end and replay too.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from arenabot.transport import POLLING, VARIABLE
from benches._bots import BOT, ECHO, Server, cpu_seconds, listening
from benches._harness import Table, by_turns, on_core, rows

_ROUNDS = 15
_TABLES = (2, 4)


class _Side:
    """A caller in its own process, with the servers that it calls."""

    def __init__(
        self, stack: ExitStack, kind: str, players: int, environment: dict[str, str] | None = None
    ) -> None:
        program = BOT if kind == "match" else ECHO
        with on_core(1):
            self._servers: list[Server] = stack.enter_context(
                listening([program] * players, environment)
            )
        addresses = [server.address for server in self._servers]
        command = [sys.executable, "-m", "benches._callers", kind, *addresses]
        with on_core(0):
            self._caller = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, **(environment or {})},
            )
        stack.callback(self._stop)
        self._ours: list[float] = []
        self._theirs: list[float] = []

    def ask(self, line: str = "") -> dict[str, Any]:
        """Let it play once."""
        assert self._caller.stdin is not None
        assert self._caller.stdout is not None
        self._caller.stdin.write(f"{line}\n")
        self._caller.stdin.flush()
        sample: dict[str, Any] = json.loads(self._caller.stdout.readline())
        return sample

    def __call__(self) -> float:
        before = cpu_seconds(self._servers)
        sample = self.ask()
        self._ours.append(sample["cpu"])
        self._theirs.append((cpu_seconds(self._servers) - before) / sample["moves"] * 1e6)
        return float(sample["move"])

    def cpu(self) -> dict[str, float]:
        """Medians of both sides' CPU time a move."""
        ours, theirs = statistics.median(self._ours), statistics.median(self._theirs)
        return {"caller CPU": ours, "bot CPU": theirs, "both CPU": ours + theirs}

    def _stop(self) -> None:
        self._caller.kill()
        self._caller.communicate()


def bench() -> Iterator[Table]:
    """One table a number of players; callers and bots each keep to a core of their own."""
    for players in _TABLES:
        with ExitStack() as stack:
            match = _Side(stack, "match", players)
            sizes: Sequence[tuple[int, int]] = match.ask()["sizes"]
            sides = {
                "bare stream echo": _Side(stack, "echo", players, {VARIABLE: ""}),
                "the same, polling": _Side(stack, "echo", players, {VARIABLE: POLLING}),
            }
            for side in sides.values():
                side.ask(json.dumps(sizes))
            sides["a move of a match"] = match
            samples = by_turns(sides, _ROUNDS)
            out, back = (statistics.mean(column) for column in zip(*sizes, strict=True))
            yield Table(
                f"a move, {players} players",
                "us",
                rows(samples, {name: side.cpu() for name, side in sides.items()}),
                f"{len(sizes)} moves a sample; on average {out:.0f} bytes out, {back:.0f} back",
            )
