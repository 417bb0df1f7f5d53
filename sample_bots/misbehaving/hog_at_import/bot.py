"""Takes memory without end before it serves."""

import caged  # noqa: F401
from calm import Calm

from arenabot import serve

if __name__ == "__main__":
    KEPT = [b"x" * (1 << 20) for _ in range(10_000)]
    serve(Calm)
