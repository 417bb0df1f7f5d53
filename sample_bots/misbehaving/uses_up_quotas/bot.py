"""Uses up what the kernel counts by user: the sizes of pipes and watched folders."""

import contextlib
import ctypes
import fcntl
import os

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve


class UsesUpQuotas(CalmAtFirst):
    def misbehave(self) -> None:
        libc = ctypes.CDLL(None)
        pipes = watches = 0
        with contextlib.suppress(OSError):
            while pipes < 70:
                _, end = os.pipe()
                fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 1 << 20)
                pipes += 1
        while libc.inotify_init() >= 0:
            watches += 1
        print(f"{pipes} pipes, {watches} watches, no more", flush=True)


if __name__ == "__main__":
    serve(UsesUpQuotas)
