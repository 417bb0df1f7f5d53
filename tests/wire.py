"""A wire to the container engine that tests may cut, where nobody may touch the engine itself."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any


class Wire:
    """A wire between the arena and the engine, which can be cut and mended.

    It has a thread of its own, so that whoever calls the engine may block.
    """

    def __init__(self, path: Path, engine: str) -> None:
        self.path = path
        self.host = f"unix://{path}"
        self._engine = engine.removeprefix("unix://")
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def mend(self) -> None:
        """Let connections through."""
        self._do(self._mend())

    def cut(self) -> None:
        """Close everything, as an engine that is killed does."""
        self._do(self._cut())

    def close(self) -> None:
        """End the thread."""
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _mend(self) -> None:
        self._server = await asyncio.start_unix_server(self._connected, self.path)

    async def _cut(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
            self.path.unlink(missing_ok=True)
        for writer in list(self._open):
            writer.close()
        while self._open:  # noqa: ASYNC110
            await asyncio.sleep(0.001)

    async def _connected(self, ours: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        theirs, forth = await asyncio.open_unix_connection(self._engine)
        self._open |= {back, forth}
        await asyncio.gather(self._pump(ours, forth), self._pump(theirs, back))
        self._open -= {back, forth}

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
        sink.close()
