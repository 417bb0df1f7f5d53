"""Makes a named pipe in the place of its socket, at which whoever opens it would wait."""

import os
import time
from pathlib import Path

SOCKET = Path(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:"))

if __name__ == "__main__":
    os.mkfifo(SOCKET)
    time.sleep(3600)
