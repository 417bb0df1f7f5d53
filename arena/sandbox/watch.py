"""Is the container engine the one that started the bot, and is it alive?

An engine that shuts down kills its containers, which looks like a bot that crashed. Its name
survives a restart, so the name can't tell; an open connection can. One stays open on the engine's
event stream, filtered so that next to nothing comes: when it breaks, that engine is gone. An
engine that is shutting down keeps old connections and refuses new ones, so a new one is tried too.
"""

import socket
from pathlib import Path
from typing import Final, Self

_PATIENCE: Final = 5.0
_EVENTS: Final = (
    b"GET /events?filters=%7B%22type%22%3A%5B%22daemon%22%5D%7D HTTP/1.1\r\nHost: engine\r\n\r\n"
)
_PING: Final = b"GET /_ping HTTP/1.1\r\nHost: engine\r\nConnection: close\r\n\r\n"


class EngineWatch:
    """Watches one life of one engine."""

    def __init__(self, path: Path, stream: socket.socket) -> None:
        """Use `begin`."""
        self._path = path
        self._stream = stream

    @classmethod
    def begin(cls, path: Path) -> Self:
        """Watch the engine that answers at this socket now; raises `OSError` if none does."""
        stream = _ask(path, _EVENTS)
        stream.setblocking(False)
        return cls(path, stream)

    def alive(self) -> bool:
        """Whether that engine still lives and takes connections."""
        if self._broken():
            return False
        try:
            _ask(self._path, _PING).close()
        except OSError:
            return False
        return not self._broken()

    def close(self) -> None:
        """Stop watching."""
        self._stream.close()

    def _broken(self) -> bool:
        try:
            while self._stream.recv(65536):
                pass
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True


def _ask(path: Path, request: bytes) -> socket.socket:
    """Send a request over a new connection, and return it once a good answer begins."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(_PATIENCE)
        connection.connect(str(path))
        connection.sendall(request)
        if b" 200 " not in connection.recv(64):
            raise ConnectionError("the container engine refuses")
    except OSError:
        connection.close()
        raise
    return connection
