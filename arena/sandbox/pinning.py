"""From "the bot made a socket" to a descriptor that leads there and nowhere else.

A bot can put a link to another bot's socket, or to the engine's, in place of its own, and swap it
at any time. So the path is opened once without following links, the descriptor is checked (it is
a socket, and who listens there has the bot's user id), and from then on the descriptor is dialled,
never the path (SECURITY, finding 3).
"""

import asyncio
import fcntl
import itertools
import os
import resource
import socket
import stat
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from arena.sandbox.errors import SandboxFailed
from arena.sandbox.folders import SOCKET_NAME

_MOST_TIMES: Final = 10
"""How many times its time a start may take by the clock on the wall."""
_FIRST_WAIT: Final = 0.001
_LONGEST_WAIT: Final = 0.02
_KINDS: Final = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFDIR: "a folder",
    stat.S_IFREG: "a file",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class NotASocketError(Exception):
    """Something else lies in the socket's place; the message says what, as a noun."""


class BotEndedError(Exception):
    """The bot ended while its socket was waited for."""


async def wait_for_socket(
    folder: Path,
    uid: int,
    timeout: float,  # noqa: ASYNC109 - see `Sandbox`
    running: Callable[[], Awaitable[bool]],
    own_time: Callable[[float], float] = float,
) -> int:
    """Wait for a socket of this user id in the folder; returns a pinned descriptor.

    Raises `TimeoutError` after `timeout` seconds, `BotEndedError` once `running` says no, and
    `NotASocketError`. A socket on which nobody listens yet is waited for like a missing one.
    `own_time` says how many seconds since the beginning were the bot's own; `SandboxFailed` is
    raised where they were too few for too long.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    deadline = began + timeout
    wait = _FIRST_WAIT
    place = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        while (pinned := _pin(place, uid)) is None:
            if not await running():
                raise BotEndedError
            if (now := loop.time()) >= deadline:
                left = timeout - own_time(now - began)
                if left <= 0:
                    raise TimeoutError
                if now - began > timeout * _MOST_TIMES:
                    raise SandboxFailed(
                        f"a bot that has {timeout:g} s to start got less CPU time than that in "
                        f"{now - began:.1f} s: this machine has too much to do"
                    )
                deadline = now + left
            await asyncio.sleep(wait)
            wait = min(wait * 1.05, _LONGEST_WAIT)
    finally:
        os.close(place)
    return pinned


def address_of(pinned: int) -> str:
    """The gRPC target that leads to a pinned socket, in this process only."""
    return f"unix:/proc/self/fd/{pinned}"


def _pin(place: int, uid: int) -> int | None:
    """Open, check and keep the socket; None if it isn't there or nobody listens yet."""
    try:
        found = os.open(SOCKET_NAME, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place)
    except FileNotFoundError:
        return None
    try:
        kind = stat.S_IFMT(os.fstat(found).st_mode)
        if kind != stat.S_IFSOCK:
            raise NotASocketError(_KINDS[kind])
        return _lift(found) if _listens(found, uid) else None
    finally:
        os.close(found)


def _listens(found: int, uid: int) -> bool:
    """Whether somebody listens on this socket; raises if it isn't the bot."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        try:
            probe.connect(f"/proc/self/fd/{found}")
        except (ConnectionRefusedError, BlockingIOError):  # not yet, or too busy to accept
            return False
        except OSError as error:
            raise NotASocketError(f"a socket that can't be used ({error.strerror})") from error
        size = struct.calcsize("3i")
        _, owner, _ = struct.unpack(
            "3i", probe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
        )
    if owner != uid:
        raise NotASocketError(f"a socket of another user ({owner} instead of {uid})")
    return True


_turns = itertools.count()


def _lift(found: int) -> int:
    """Copy a descriptor to a number that was not used lately.

    The number is the address. The lowest free one would be the number that the last bot had, and
    a channel forgotten open would then reconnect to the next bot.
    """
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    span = min(soft, 65536) // 4
    return fcntl.fcntl(found, fcntl.F_DUPFD_CLOEXEC, span * 2 + next(_turns) % span)
