"""Puts a link that leads round in a circle in the place of its socket."""

import os
import time
from pathlib import Path

SOCKET = Path(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:"))

if __name__ == "__main__":
    SOCKET.symlink_to(SOCKET)
    time.sleep(3600)
