"""Fills its container with processes that are hard to end, and does not end after its match.

Some are stopped, some wait for a child as only vfork does, some have lost their first thread, some
flee from one id to the next, some are dead and unburied; all have sessions of their own and ignore
signals, and none of them can be looked at from its own user id.
"""

import contextlib
import ctypes
import os
import signal
import threading
import time
from collections.abc import Callable

import caged  # noqa: F401
from calm import Calm

from arenabot import MatchInfo, serve

SET_DUMPABLE = 4
EXIT = {"x86_64": 60, "aarch64": 93}[os.uname().machine]
_libc = ctypes.CDLL(None)


def stopped() -> None:
    """Stand still for ever."""
    os.kill(os.getpid(), signal.SIGSTOP)


def waiting() -> None:
    """Wait for a child that never ends, where no signal but one is heard."""
    os.posix_spawn("/bin/sleep", ["sleep", "1000"], {})
    _libc.vfork()  # the child goes on in our place, and we wait for it
    time.sleep(1000)


def headless() -> None:
    """Lose the first thread and live on."""
    threading.Thread(target=time.sleep, args=(1000,)).start()
    _libc.syscall(EXIT, 0)


def fleeing() -> None:
    """Be another process every few milliseconds."""
    while True:
        time.sleep(0.01)
        with contextlib.suppress(OSError):
            if os.fork():
                os._exit(0)


def unburied() -> None:
    """Have children that are dead."""
    for _ in range(5):
        if os.fork() == 0:
            os._exit(0)
    time.sleep(1000)


def start(what: Callable[[], None]) -> None:
    """Run it in a process of its own."""
    if os.fork():
        return
    os.setsid()
    _libc.prctl(SET_DUMPABLE, 0, 0, 0, 0)
    what()
    time.sleep(1000)
    os._exit(0)


class RefusesToDie(Calm):
    def match_started(self, match: MatchInfo) -> None:
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
            with contextlib.suppress(OSError):
                signal.signal(number, signal.SIG_IGN)
        for what in (stopped, waiting, headless, fleeing, unburied) * 2:
            start(what)
        time.sleep(0.3)
        crowd = sum(name.isdigit() for name in os.listdir("/proc"))
        print(f"more than a dozen: {crowd > 12}", flush=True)


if __name__ == "__main__":
    serve(RefusesToDie)
