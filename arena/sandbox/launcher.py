"""Runs in the child of the process sandbox, between fork and the bot: limits, then the bot itself.

A program of its own because code between fork and exec is unsafe in a process with threads, and
gRPC has threads. Called as `python -I -S launcher.py JSON`, it imports nothing of ours.
"""

import ctypes
import json
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Bind our life to our parent's, set limits, and become the bot."""
    orders = json.loads(sys.argv[1])
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != orders["parent"]:  # it died before we asked to be told
        sys.exit(1)
    for name, value in orders["limits"].items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))
    command = orders["command"]
    try:
        os.execvp(command[0], command)  # noqa: S606 - the bot's command, which needs no shell
    except OSError as error:
        print(f"can't run {command[0]}: {error.strerror}", file=sys.stderr)
        sys.exit(126 if isinstance(error, PermissionError) else 127)


main()
