"""The first process of a bot's container: it forks a fresh process for each match.

    python3 -s -P -m arenabot.zygote python3 bot.py

It is ours alone: nothing that a bot's author wrote runs in it.  It imports what bots need once,
before any object of gRPC's exists, and then does as the arena says: start a match's process, which
gives up every privilege before the bot's file runs (``zygote_child``); end it, with all that it
left running; say how it ended.

The arena's orders come over one connection.  The socket for it is gone before the first match, so
no bot ever finds anything to connect to, and the end of the connection is the end of everything.
It may be started only as the first process of a container, since it kills whatever it can.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, NoReturn

from arenabot.zygote_child import Start, become
from arenabot.zygote_preload import script_of, warm_up

#: Where the arena finds us: a folder that only we and the arena can write to.
CONTROL: Final = "/run/arena/control.sock"
#: Said to ourselves, when what was imported must not be in a bot's process.
_COLD: Final = "--cold"
_LONGEST: Final = 1 << 16
#: How often a match's process is handed out: somebody may have killed one while it waited.
_TRIES: Final = 2


def main() -> None:
    """Wait for orders; in a match's process, become that match's bot."""
    command = sys.argv[1:]
    # What a program of its own should find, before our imports have added to it.
    environment = dict(os.environ)
    script = None
    if command[0] == _COLD:
        command = command[1:]
    else:
        script = script_of(command)
        if script is not None and not warm_up(script):
            os.execv(sys.executable, [sys.executable, "-s", "-P", "-m", *_again(command)])  # noqa: S606
    connection = _connected()
    # Pages that nobody writes to are shared by all matches' processes.
    gc.collect()
    gc.freeze()
    start = Zygote(connection).obey()
    become(start, command, environment, script)


def _again(command: Sequence[str]) -> list[str]:
    return ["arenabot.zygote", _COLD, *command]


def _connected() -> socket.socket:
    """The arena's connection, the only one that there will be."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(CONTROL)
        listener.listen(1)
        connection, _ = listener.accept()
    os.unlink(CONTROL)  # noqa: PTH108
    return connection


class _Spare(NamedTuple):
    """A process that is forked already and waits to hear whose it is."""

    pid: int
    orders: socket.socket


class Zygote:
    """Does as it is told; one match at a time."""

    def __init__(self, connection: socket.socket) -> None:
        """Obey whoever is at the other end."""
        self._control = connection
        self._match: int | None = None
        #: The next match's process: a match that begins need not wait for a fork. It is there only
        #: while no match runs, so that no bot ever shares a container with it.
        self._spare: _Spare | None = None
        #: How the match's first process ended, as ``os.waitpid`` says it.
        self._status: int | None = None
        self._ended, self._woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def obey(self) -> Start:
        """Serve the arena to its end; returns only in a match's own process, to become it."""
        signal.set_wakeup_fd(self._woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        control = self._control.fileno()
        while True:
            if self._match is None and self._spare is None and (start := self._fork()) is not None:
                return start
            ready, _, _ = select.select([control, self._ended], [], [])
            if self._ended in ready:
                os.read(self._ended, 4096)
                self._reap(os.WNOHANG)
            if control in ready and (start := self._order()) is not None:
                return start

    def _order(self) -> Start | None:
        message, descriptors, _, _ = socket.recv_fds(self._control, _LONGEST, 4)
        if not message:
            os._exit(0)  # the arena is gone: so is everything here
        order: dict[str, Any] = json.loads(message)
        if order["do"] == "start":
            return self._start(order, descriptors[0])
        if order["do"] == "end":
            self._reap(os.WNOHANG)
            own = self._status
            self._kill_all()
            self._reap(0)
            self._match = None
            self._answer(status=own)
        else:
            self._reap(os.WNOHANG)
            self._answer(status=self._status)
        return None

    def _fork(self) -> Start | None:
        """Have a spare process, if one can be had; in it, wait for its order and return that."""
        ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            pid = os.fork()
        except OSError:
            ours.close()
            its.close()
            return None
        if pid == 0:
            ours.close()
            os.close(self._control.detach())
            return _ordered(its)
        its.close()
        self._spare = _Spare(pid, ours)
        return None

    def _start(self, order: dict[str, Any], output: int) -> Start | None:
        """Let a spare process be the match's; returns in it.  We answer once it is the bot's."""
        self._status = None
        said = b"can't fork: too many processes, or too little memory"
        for _ in range(_TRIES):
            if self._spare is None and (start := self._fork()) is not None:
                return start
            if self._spare is None:
                break
            self._match, said = self._hand_over(self._spare, order, output)
            self._spare = None
            if said:
                break
        os.close(output)
        if self._match is None or not said.startswith(Start.UNDER_WAY):
            self._answer(failed=said.decode(errors="replace") or "it ended before its bot's code")
            return None
        process = os.pidfd_open(self._match)
        cant_run = said.removeprefix(Start.UNDER_WAY).decode(errors="replace")
        if cant_run:  # it is ending, and how it ended will be asked at once
            _, self._status = os.waitpid(self._match, 0)
        self._answer([process], pid=self._match, cant_run=cant_run)
        os.close(process)
        return None

    @staticmethod
    def _hand_over(spare: _Spare, order: dict[str, Any], output: int) -> tuple[int, bytes]:
        """Tell a spare process whose it is; its id, and what it says: nothing if it was killed."""
        told, tell = os.pipe2(os.O_CLOEXEC)
        try:
            socket.send_fds(spare.orders, [json.dumps(order).encode()], [output, tell])
        except OSError:
            pass  # it has just ended, as we shall hear
        finally:
            spare.orders.close()
            os.close(tell)
        said = _read_all(told)
        os.close(told)
        return spare.pid, said

    def _reap(self, how: int) -> None:
        """Take note of who ended; with ``how`` 0, wait until nobody is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, how)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if self._spare is not None and pid == self._spare.pid:
                self._spare.orders.close()
                self._spare = None
            if pid == self._match:
                self._status = status
                # As in a container of its own: when a bot's program ends, so does all it started.
                self._kill_all()

    @staticmethod
    def _kill_all() -> None:
        """Kill everything but ourselves, all at once, so that nobody can fork out of it."""
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            return

    def _answer(self, descriptors: Sequence[int] = (), **answer: object) -> None:
        socket.send_fds(self._control, [json.dumps(answer).encode()], list(descriptors))


def _ordered(orders: socket.socket) -> Start:
    """Wait in a spare process for what it is to be; its end if there is nothing to be."""
    message, descriptors, _, _ = socket.recv_fds(orders, _LONGEST, 2)
    if len(descriptors) != 2:
        os._exit(0)
    orders.close()
    order = json.loads(message)
    output, tell = descriptors
    return Start(order["uid"], order["env"], output, tell)


def _read_all(descriptor: int) -> bytes:
    read = b""
    while piece := os.read(descriptor, 4096):
        read += piece
    return read


def _refuse() -> NoReturn:
    raise SystemExit("arenabot.zygote is the first process of a bot's container, nothing else")


if __name__ == "__main__":
    if os.getpid() != 1:
        _refuse()
    main()
