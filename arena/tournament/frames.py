"""How a run and its workers talk over a pipe: a JSON text and some bytes, each with its length.

JSON, not pickle: a worker has spoken with hostile bots, and what it says must not be code.
"""

from __future__ import annotations

import asyncio
import enum
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from pydantic import TypeAdapter

from arena.players.person import Question, Settled
from arena.tournament.job import MatchJob, Outcome, Played, Voided

_LENGTHS = struct.Struct(">II")
#: No job and no outcome comes near this; more is a worker gone mad.
_MOST = 64 * 1024 * 1024


class Order(enum.Enum):
    """What a run can say to a worker about a match that it plays."""

    #: Play it no more; the worker answers with a void.
    STOP = "stop"
    #: Tell what may be known of it, all so far, then each line as it is written: what a spectator
    #: may know, or where a person plays, what that seat may.
    WATCH = "watch"
    #: Nobody watches any more.
    UNWATCH = "unwatch"
    #: The person who plays in it has left.
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Answered:
    """What a person has answered to a question."""

    number: int
    said: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """What goes to a worker: a job, an order, a person's answer; or what comes back: an outcome,
    lines of a match, a question to a person and that it is over.

    One without any of them is a worker's first: it is ready for jobs.
    """

    #: Which job it is about; each has a number of its own, which its match's id may not be.
    number: int = 0
    job: MatchJob | None = None
    order: Order | None = None
    played: Played | None = None
    voided: Voided | None = None
    answered: Answered | None = None
    question: Question | None = None
    settled: Settled | None = None
    #: Lines of a match as they may be known, and how many there were before them.
    lines: tuple[dict[str, Any], ...] = ()
    before: int = 0
    #: No more lines come, since they were not read as fast as they were written.
    cut: bool = False


_MESSAGE = TypeAdapter(Message)


class BrokenPipeTalk(ValueError):
    """What came is no message of ours."""


def ready_frame() -> bytes:
    """Write that a worker is ready."""
    return _frame(Message())


def job_frame(job: MatchJob, number: int) -> bytes:
    """Write a job."""
    return _frame(Message(number, job=job))


def order_frame(order: Order, number: int) -> bytes:
    """Write an order."""
    return _frame(Message(number, order=order))


def answer_frame(answered: Answered, number: int) -> bytes:
    """Write what a person has answered."""
    return _frame(Message(number, answered=answered))


def person_frame(told: Question | Settled, number: int) -> bytes:
    """Write a question to a person, or that it is over."""
    if isinstance(told, Question):
        return _frame(Message(number, question=told))
    return _frame(Message(number, settled=told))


def lines_frame(lines: Sequence[dict[str, Any]], before: int, number: int) -> bytes:
    """Write lines, the first of which has so many before it."""
    return _frame(Message(number, lines=tuple(lines), before=before))


def cut_frame(number: int) -> bytes:
    """Write that no more lines come."""
    return _frame(Message(number, cut=True))


def outcome_frame(outcome: Outcome, number: int) -> bytes:
    """Write an outcome; the replay travels as the bytes it is."""
    if isinstance(outcome, Voided):
        return _frame(Message(number, voided=outcome))
    record = outcome.record
    bare = Played(replace(record, replay=b""))
    return _frame(Message(number, played=bare), record.replay)


def _frame(message: Message, blob: bytes = b"") -> bytes:
    text = _MESSAGE.dump_json(message, exclude_defaults=True)
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


async def open_sink(stream: BinaryIO) -> asyncio.WriteTransport:
    """Write to a pipe of this process through the event loop, which never waits for its reader."""
    loop = asyncio.get_running_loop()
    sink, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, stream)
    return sink
