"""What a bot's imports cost in a fresh interpreter, beside gRPC's own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

from benches._harness import Table, by_turns, on_core, rows

_ROUNDS = 15
_NOTHING = "pass"
_SIDES = {
    "import grpc": "import grpc",
    # What any bot in Python pays that speaks the protocol with generated messages.
    "grpc, protobuf and health": "import grpc, grpc_health.v1.health",
    "import arenabot": "import arenabot",
    "a bot's own imports": "from arenabot import ClaimsBot, CLAIM, burn, serve",
    "a bot up to serving": "from arenabot import ClaimsBot, CLAIM, burn, serve; "
    "import arenabot.server",
}


def bench() -> Iterator[Table]:
    """CPU time, which a busy machine hardly changes, less that of an interpreter that starts."""
    with on_core(0):
        sides = {name: lambda code=code: _milliseconds(code) for name, code in _SIDES.items()}
        samples = by_turns({_NOTHING: lambda: _milliseconds(_NOTHING), **sides}, _ROUNDS)
    empty = samples.pop(_NOTHING)
    net = {
        name: [value - nothing for value, nothing in zip(values, empty, strict=True)]
        for name, values in samples.items()
    }
    yield Table("imports in a fresh interpreter", "ms of CPU", rows(net))


def _milliseconds(code: str) -> float:
    process = subprocess.Popen([sys.executable, "-c", code])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{code!r} ended with {process.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1000
