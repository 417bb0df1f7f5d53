"""From what the system knows of an ended bot to an ending and a sentence. Pure.

The codes are SECURITY's: 137 with the engine's flag is memory (the flag alone, from a child, is
not death), 153 (SIGXFSZ) and 159 (SIGSYS) are limits, everything else is the bot's own doing.
"""

import signal
from typing import Final

from arena.sandbox.api import Ending, Limits

_KILLED: Final = 128 + signal.SIGKILL
_FILE_SIZE: Final = 128 + signal.SIGXFSZ
_SYSTEM_CALL: Final = 128 + signal.SIGSYS


def ending_of(exit_code: int, *, oom_killed: bool) -> Ending:
    """Why a bot that ended by itself ended; the engine must have been found alive before."""
    if exit_code == _KILLED and oom_killed:
        return Ending.OUT_OF_MEMORY
    if exit_code in {_FILE_SIZE, _SYSTEM_CALL}:
        return Ending.LIMIT
    return Ending.EXITED


def sentence(
    ending: Ending,
    limits: Limits,
    *,
    exit_code: int | None = None,
    peak_memory: int | None = None,
    oom_killed: bool = False,
) -> str:
    """What became of the bot, in plain words with the numbers."""
    if ending is Ending.EXITED:
        child = "; one of its processes had been killed for memory" if oom_killed else ""
        return _exit_sentence(exit_code) + child
    too_big = f"wrote a file of more than {limits.file_mib} MiB and was stopped"
    refused = "made a system call that bots may not make and was stopped"
    return {
        Ending.RUNNING: f"is running{_used(limits, peak_memory)}",
        Ending.STOPPED: f"was stopped by the arena{_used(limits, peak_memory)}",
        Ending.OUT_OF_MEMORY: f"used {limits.memory_mib} MiB of {limits.memory_mib} MiB "
        "and was stopped",
        Ending.LIMIT: too_big if exit_code == _FILE_SIZE else refused,
        Ending.ENGINE_LOST: "was lost with its container engine, which is not the bot's fault",
    }[ending]


def _exit_sentence(exit_code: int | None) -> str:
    if exit_code is None:
        return "ended by itself"
    if exit_code > 128:
        try:
            name = signal.Signals(exit_code - 128).name
        except ValueError:
            return f"ended by itself with exit code {exit_code}"
        return f"was ended by signal {exit_code - 128} ({name}), exit code {exit_code}"
    return f"ended by itself with exit code {exit_code}"


def _used(limits: Limits, peak_memory: int | None) -> str:
    if peak_memory is None:
        return ""
    return f" after using {max(1, round(peak_memory / (1 << 20)))} MiB of {limits.memory_mib} MiB"
