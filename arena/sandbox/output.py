"""What a bot prints: read from a pipe as it comes, each piece with its place in the match."""

import asyncio
import fcntl
import os
from contextlib import suppress
from typing import Final

from arena.sandbox.logs import LogTail

_PIPE: Final = 1 << 18
"""Bytes that a bot can print while nobody reads, so that an honest one need not wait for us."""
_PAUSE: Final = 0.01
"""Seconds between two readings of a whole pipe: what bounds the price of a flood."""
_MOST_LEFT: Final = 1 << 20
"""As much as a bot can make its pipe hold."""


class Output:
    """The reading end of a bot's standard output and error; to be used in its event loop."""

    def __init__(self, limit: int) -> None:
        """Keep `limit` bytes of the newest output."""
        self._log = LogTail(limit)
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._reading, False)
        with suppress(OSError):  # an ordinary user may have too many pipes for that
            fcntl.fcntl(self._reading, fcntl.F_SETPIPE_SZ, _PIPE)
        self._pause: asyncio.TimerHandle | None = None
        self._open = True

    @property
    def writing(self) -> int:
        """The end for the bot; to be let go by `given` once the bot has it."""
        return self._writing

    def given(self) -> None:
        """Let go of the bot's end, and begin to read."""
        os.close(self._writing)
        self._writing = -1
        asyncio.get_running_loop().add_reader(self._reading, self._readable)

    def place(self, name: str) -> None:
        """Say that whatever the bot prints from now on belongs to this place in the match."""
        if self._open:
            self._read()
            self._log.place(name)

    def text(self) -> str:
        """What is kept, with all that the bot has printed up to now."""
        if self._open and self._writing < 0:
            self._read()
        return self._log.text()

    def close(self) -> None:
        """Take in what is left, and let go; `text` stays."""
        if not self._open:
            return
        for _ in range(_MOST_LEFT // _PIPE):
            self._read()
        self._open = False
        if self._pause is not None:
            self._pause.cancel()
        asyncio.get_running_loop().remove_reader(self._reading)
        os.close(self._reading)
        if self._writing >= 0:
            os.close(self._writing)

    def _readable(self) -> None:
        # A reader that is called for every few bytes of a flood would cost this whole core.
        asyncio.get_running_loop().remove_reader(self._reading)
        if self._read():
            self._pause = asyncio.get_running_loop().call_later(_PAUSE, self._go_on)

    def _go_on(self) -> None:
        asyncio.get_running_loop().add_reader(self._reading, self._readable)

    def _read(self) -> bool:
        """Take in what lies in the pipe now; False once nobody can write to it any more."""
        try:
            data = os.read(self._reading, _PIPE)
        except BlockingIOError:
            return True
        self._log.add(data)
        return bool(data)
