"""Finding and killing all processes of a bot that ran without a container.

A bot's processes are known by their session, and by the address in their environment, which is
unique: a child that made a session of its own still has that.
"""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from arena.sandbox.api import ADDRESS_VARIABLE

_ROUNDS = 50


def kill_all(address: str, session: int | None = None) -> None:
    """Kill until none is left, since a process may fork while it is looked for."""
    for _ in range(_ROUNDS):
        found = _find(address, session)
        if not found:
            return
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)


def _find(address: str, session: int | None) -> list[int]:
    wanted = f"{ADDRESS_VARIABLE}={address}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):  # it ended, or is somebody else's
            alive, its_session = _alive_and_session(entry)
            if alive and (its_session == session or wanted in _environment(entry)):
                found.append(int(entry.name))
    return found


def _alive_and_session(entry: Path) -> tuple[bool, int]:
    # The name in parentheses may hold anything, so count from its end.
    fields = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2]
    state, _, _, session, *rest = fields.split()
    threads = int(rest[13])
    # Where the main thread alone has ended, the process looks like a zombie.
    return state not in "ZX" or threads > 1, int(session)


def _environment(entry: Path) -> list[bytes]:
    """Its environment, from a thread that still has it."""
    for thread in (entry / "task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # the thread ended
            if environment := (thread / "environ").read_bytes():
                return environment.split(b"\0")
    return []
