"""The processes that are hard to end, see `bot.py`."""

import contextlib
import ctypes
import os
import signal
import threading
import time
from collections.abc import Callable

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


if __name__ == "__main__":
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    for way in (stopped, waiting, headless, fleeing, unburied) * 2:
        start(way)
    time.sleep(1000)
