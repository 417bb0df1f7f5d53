"""Ends its main thread alone: its process looks dead, and gRPC's threads live on."""

import ctypes
import os

from calm import CalmAtFirst

from arenabot import serve

EXIT = {"x86_64": 60, "aarch64": 93}[os.uname().machine]


class LosesItsHead(CalmAtFirst):
    def misbehave(self) -> None:
        ctypes.CDLL(None).syscall(EXIT, 0)


if __name__ == "__main__":
    serve(LosesItsHead)
