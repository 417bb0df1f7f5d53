"""Fails before it serves."""

from calm import Calm

from arenabot import serve

TABLE = {1: "one"}
FIRST = TABLE[0]

if __name__ == "__main__":
    serve(Calm)
