"""Where the program begins; from here on it can be stopped without a traceback."""

from __future__ import annotations

import sys

from arena.cli import signals
from arena.cli.stopped import STOPPED


def main() -> None:
    """Run the command that this process was called with, and end the process."""
    try:
        signals.hear()
        from arena.cli.main import run  # noqa: PLC0415 - takes long enough to be stopped in it

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        print("arena: stopped", file=sys.stderr)
        code = STOPPED
    sys.exit(code)
