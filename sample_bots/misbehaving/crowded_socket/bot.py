"""Fills the queue of its socket itself, so that nobody else can connect."""

import os
import socket
import time
from pathlib import Path

SOCKET = Path(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:"))

if __name__ == "__main__":
    # Elsewhere first, since whoever waits for the socket may be quicker than the crowd.
    elsewhere = SOCKET.with_name("elsewhere")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(elsewhere))
    server.listen(0)
    crowd = [socket.socket(socket.AF_UNIX) for _ in range(2)]
    for one in crowd:
        one.setblocking(False)
        one.connect_ex(str(elsewhere))
    elsewhere.rename(SOCKET)
    time.sleep(3600)
