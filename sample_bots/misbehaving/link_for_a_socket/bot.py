"""Puts a link to the container engine's socket in the place of its own."""

import os
import time
from pathlib import Path

SOCKET = Path(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:"))

if __name__ == "__main__":
    SOCKET.symlink_to("/var/run/docker.sock")
    time.sleep(3600)
