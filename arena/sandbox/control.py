"""Orders to the zygote, the first process of a bot's container (`arenabot.zygote`).

The zygote takes one connection, before it has started anything of a bot's, and removes the socket;
so who answers is our own program, and no bot can come in between. Messages are JSON, one a packet;
descriptors go along where they are needed. Nothing that a bot wrote ever passes here.
"""

import json
import os
import socket
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.sandbox.errors import SandboxFailed, ZygoteGone

NAME: Final = "control.sock"
"""What the zygote's socket is called in the container's folder."""

_PATIENCE: Final = 10.0
_READY_WITHIN: Final = 60.0
"""Seconds that the engine may take to start a container, on a machine with much to do."""
_LONGEST: Final = 1 << 16
_PAUSE: Final = 0.002


@dataclass(frozen=True, slots=True)
class Begun:
    """A match's process that was started."""

    process: int
    """A descriptor of the process (pidfd), ours to close; readable once it has ended."""
    cant_run: str
    """Why the system can't run the bot's command, empty if it can."""


class Control:
    """The one connection to a zygote; blocking calls, to be made one at a time."""

    def __init__(self, connection: socket.socket) -> None:
        """Use `connect`."""
        self._connection = connection

    @classmethod
    def connect(cls, folder: Path, pid: int, running: Callable[[], bool]) -> "Control":
        """Connect once the zygote listens, which must be this process.

        Raises `ZygoteGone` if `running` says no, `SandboxFailed` if it takes too long or if
        somebody else answers.
        """
        deadline = time.monotonic() + _READY_WITHIN
        place = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            while not _connected(connection, f"/proc/self/fd/{place}/{NAME}"):
                if not running():
                    raise ZygoteGone("ended before it could be asked for anything")
                if time.monotonic() > deadline:
                    raise SandboxFailed(f"a container was not ready within {_READY_WITHIN:g} s")
                time.sleep(_PAUSE)
            if _peer(connection) != pid:
                raise SandboxFailed("another process answers in place of a container's first one")
            connection.settimeout(_PATIENCE)
        except BaseException:
            connection.close()
            raise
        finally:
            os.close(place)
        return cls(connection)

    def start(self, uid: int, env: Mapping[str, str], output: int) -> Begun:
        """Start a match's process; `output` is the descriptor that it prints to."""
        answer, descriptors = self._ask({"do": "start", "uid": uid, "env": dict(env)}, [output])
        if "failed" in answer:
            raise SandboxFailed(f"a match's process can't be started: {answer['failed']}")
        if not descriptors:
            raise SandboxFailed(
                "a match's process can't be followed: raise the limit of open files"
            )
        return Begun(descriptors[0], answer["cant_run"])

    def status(self) -> int | None:
        """The exit code of the match's process, as a shell shows it; None while it runs."""
        return _status(self._ask({"do": "look"})[0])

    def end(self) -> int | None:
        """Kill whatever runs but the zygote, and wait for all of it to be gone.

        Returns the exit code with which the match's process had ended before, None if it hadn't.
        """
        return _status(self._ask({"do": "end"})[0])

    def close(self) -> None:
        """Hang up, which ends the zygote and with it the container."""
        self._connection.close()

    def _ask(self, order: Mapping[str, Any], descriptors: list[int] | None = None) -> Any:
        """Send an order and wait for the answer; raises `ZygoteGone`."""
        try:
            socket.send_fds(self._connection, [json.dumps(order).encode()], descriptors or [])
            message, received, _, _ = socket.recv_fds(self._connection, _LONGEST, 1)
        except TimeoutError:
            raise ZygoteGone(f"did not answer within {_PATIENCE:g} s") from None
        except OSError as error:
            raise ZygoteGone(f"can't be asked any more ({error.strerror})") from None
        if not message:
            raise ZygoteGone("ended")
        return json.loads(message), received


def _connected(connection: socket.socket, path: str) -> bool:
    try:
        connection.connect(path)
    except (FileNotFoundError, ConnectionRefusedError):  # it isn't there, or doesn't listen yet
        return False
    return True


def _peer(connection: socket.socket) -> int:
    size = struct.calcsize("3i")
    pid, _, _ = struct.unpack(
        "3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    )
    return int(pid)


def _status(answer: Mapping[str, Any]) -> int | None:
    if (status := answer["status"]) is None:
        return None
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code
