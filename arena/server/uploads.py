"""What authors send: in order, in time, no more than was announced and than there is room for."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final

from arena.server.limits import Buckets, Open
from arena.server.refusals import Refused
from arena.server.settings import Settings
from arena.submissions.limits import size_text
from arenabot.v1 import arena_pb2 as pb

PIECE: Final = 64 << 10
"""The most bytes in one message."""

_SHA256: Final = re.compile(r"[0-9a-f]{64}")

Messages = AsyncIterator[pb.SubmitBotRequest]


class Uploads:
    """All uploads of a server. What is refused has cost no more memory than was free for it."""

    def __init__(self, settings: Settings) -> None:
        """Bound them as `settings` says."""
        self._settings = settings
        self._hourly = Buckets(settings.uploads_per_hour / 3600, settings.uploads_per_hour)
        self._open = Open(settings.uploads_at_once)
        self._taken = 0

    async def header(self, messages: Messages) -> pb.SubmitBotHeader:
        """The first message, if it makes sense. Raises Refused."""
        first = await self._next(messages)
        if first is None or first.WhichOneof("message") != "header":
            raise Refused(pb.REASON_INVALID, "first of all comes the header, then the data")
        header = first.header
        if not _SHA256.fullmatch(header.sha256):
            raise Refused(
                pb.REASON_INVALID, "sha256 is the SHA-256 of the archive, 64 hexadecimal digits"
            )
        if not header.size:
            raise Refused(pb.REASON_INVALID, "size is 0: there is nothing in this archive")
        if header.size > self._settings.upload_bytes:
            raise Refused(
                pb.REASON_TOO_LARGE,
                f"the archive is larger than {size_text(self._settings.upload_bytes)}: send only "
                "what the bot needs",
            )
        return header

    @contextmanager
    def room(self, author: str, size: int) -> Iterator[None]:
        """Have room for so many bytes of an author. Raises Refused."""
        if wait := self._hourly.take(author):
            raise Refused(
                pb.REASON_RATE_LIMITED,
                f"you may send {self._settings.uploads_per_hour:g} bots an hour: wait for the next",
                again_in=wait,
            )
        with self._open.one_more(author):
            if self._taken + size > max(self._settings.all_uploads_bytes, size):
                raise Refused(
                    pb.REASON_RATE_LIMITED, "too much is being sent at once: try again", again_in=5
                )
            self._taken += size
            try:
                yield
            finally:
                self._taken -= size

    async def archive(self, header: pb.SubmitBotHeader, messages: Messages) -> bytes:
        """The bytes that were announced. Raises Refused."""
        data = bytearray()
        while (message := await self._next(messages)) is not None:
            if message.WhichOneof("message") != "data":
                raise Refused(pb.REASON_INVALID, "after the header comes data and nothing else")
            if len(message.data) > PIECE:
                raise Refused(
                    pb.REASON_TOO_LARGE, f"a message has {size_text(PIECE)} of data at most"
                )
            if len(data) + len(message.data) > header.size:
                raise Refused(
                    pb.REASON_INVALID, f"more came than the {header.size} bytes that were announced"
                )
            data += message.data
        if len(data) < header.size:
            raise Refused(
                pb.REASON_DIGEST_MISMATCH,
                f"only {len(data)} of {header.size} bytes have arrived: send it again",
            )
        # Some milliseconds for each MiB, in which the server would do nothing else.
        found = await asyncio.to_thread(hashlib.sha256, data)
        if found.hexdigest() != header.sha256:
            raise Refused(
                pb.REASON_DIGEST_MISMATCH,
                "what has arrived has another digest than was announced: send it again",
            )
        return bytes(data)

    async def _next(self, messages: Messages) -> pb.SubmitBotRequest | None:
        """The next message, None after the last one. Raises Refused if it doesn't come."""
        idle = self._settings.upload_idle_seconds
        try:
            async with asyncio.timeout(idle) as limit:
                return await anext(messages, None)
        except TimeoutError:
            if not limit.expired():
                raise
            raise Refused(
                pb.REASON_INVALID, f"nothing came for {idle:g} seconds: send it again"
            ) from None
