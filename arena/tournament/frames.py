"""How a run and its workers talk over a pipe: a JSON text and some bytes, each with its length.

JSON, not pickle: a worker has spoken with hostile bots, and what it says must not be code.
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass, replace
from typing import BinaryIO

from pydantic import TypeAdapter

from arena.tournament.job import MatchJob, Outcome, Played, Voided

_LENGTHS = struct.Struct(">II")
#: No job and no outcome comes near this; more is a worker gone mad.
_MOST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Message:
    """A job on its way to a worker, or one or the other outcome on its way back.

    One without any of them is a worker's first: it is ready for jobs.
    """

    job: MatchJob | None = None
    played: Played | None = None
    voided: Voided | None = None


_MESSAGE = TypeAdapter(Message)


class BrokenPipeTalk(ValueError):
    """What came is no message of ours."""


def ready_frame() -> bytes:
    """Write that a worker is ready."""
    return _frame(_MESSAGE.dump_json(Message()), b"")


def job_frame(job: MatchJob) -> bytes:
    """Write a job."""
    return _frame(_MESSAGE.dump_json(Message(job=job)), b"")


def outcome_frame(outcome: Outcome) -> bytes:
    """Write an outcome; the replay travels as the bytes it is."""
    if isinstance(outcome, Voided):
        return _frame(_MESSAGE.dump_json(Message(voided=outcome)), b"")
    record = outcome.record
    bare = Played(replace(record, replay=b""))
    return _frame(_MESSAGE.dump_json(Message(played=bare)), record.replay)


def _frame(text: bytes, blob: bytes) -> bytes:
    return _LENGTHS.pack(len(text), len(blob)) + text + blob


async def read_frame(reader: asyncio.StreamReader) -> Message | None:
    """Read the next message; None when the other side has closed the pipe."""
    try:
        text_length, blob_length = _LENGTHS.unpack(await reader.readexactly(_LENGTHS.size))
        if text_length + blob_length > _MOST:
            raise BrokenPipeTalk(f"a message of {text_length + blob_length} bytes")
        text = await reader.readexactly(text_length)
        blob = await reader.readexactly(blob_length)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    try:
        message = _MESSAGE.validate_json(text)
    except ValueError as error:
        raise BrokenPipeTalk(f"not a message of ours: {error}") from None
    if message.played is not None:
        record = replace(message.played.record, replay=blob)
        return replace(message, played=Played(record))
    return message


async def open_pipe(stream: BinaryIO) -> asyncio.StreamReader:
    """Read a pipe of this process through the event loop."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), stream)
    return reader
