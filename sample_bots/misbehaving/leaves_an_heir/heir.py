"""The process that is left: somebody else every few milliseconds, with the same open files."""

import contextlib
import fcntl
import os
import signal
import socket
import sys
import time
from pathlib import Path

NAME, BOT, *NOTES = sys.argv[1:]

os.setsid()
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
kept = socket.socket(socket.AF_UNIX)
kept.bind(f"\0{NAME}")
kept.listen()
lock = os.open(BOT, os.O_RDONLY)
fcntl.flock(lock, fcntl.LOCK_EX)
for note in NOTES:
    Path(note).write_text("the deal", encoding="ascii")
while True:
    time.sleep(0.005)
    with contextlib.suppress(OSError):
        if os.fork():
            os._exit(0)
