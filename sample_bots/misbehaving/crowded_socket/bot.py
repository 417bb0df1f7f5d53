"""Fills the queue of its socket itself, so that nobody else can connect."""

import os
import socket
import time
from pathlib import Path

SOCKET = Path(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:"))

if __name__ == "__main__":
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(SOCKET))
    server.listen(0)
    crowd = [socket.socket(socket.AF_UNIX) for _ in range(2)]
    for one in crowd:
        one.setblocking(False)
        one.connect_ex(str(SOCKET))
    time.sleep(3600)
