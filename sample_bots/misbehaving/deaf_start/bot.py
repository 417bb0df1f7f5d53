"""Opens its socket in time, but takes no connection."""

import os
import socket
import time

if __name__ == "__main__":
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:"))
        server.listen()
        time.sleep(3600)
