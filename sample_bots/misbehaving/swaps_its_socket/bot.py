"""Puts a link to the container engine's socket in the place of its own, once it is connected."""

import os
from pathlib import Path

from calm import CalmAtFirst

from arenabot import serve

SOCKET = Path(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:"))


class SwapsItsSocket(CalmAtFirst):
    def misbehave(self) -> None:
        SOCKET.unlink(missing_ok=True)
        SOCKET.symlink_to("/var/run/docker.sock")


if __name__ == "__main__":
    serve(SwapsItsSocket)
