"""Makes a socket to which nobody can connect."""

import os
import socket
import time
from pathlib import Path

SOCKET = Path(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:"))

if __name__ == "__main__":
    server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    server.bind(str(SOCKET))
    time.sleep(3600)
