"""Prepares for a minute before it serves."""

import time

from calm import Calm

from arenabot import serve

if __name__ == "__main__":
    time.sleep(60)
    serve(Calm)
