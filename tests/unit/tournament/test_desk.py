"""A worker does what it is told about the matches that it plays, and never waits for a reader."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from arena.match.faults import PlayerGone
from arena.match.replay import Line
from arena.match.transcript import Transcript
from arena.players.choices import READY
from arena.players.person import PersonPlayer, Question, Settled
from arena.tournament import worker as module
from arena.tournament.frames import Answered, Message, Order, read_frame
from arena.tournament.job import PERSON, MatchJob, Outcome, Voided, VoidReason
from arena.tournament.worker import Worker
from arenabot import wire
from tests.unit.tournament.jobs import job

LINES: list[Line] = [
    {"type": "pass", "round": 1, "turn": turn, "seat": turn % 3} for turn in range(5)
]


class Sink:
    """A pipe whose reader is as quick as a test says."""

    def __init__(self) -> None:
        self.unread = 0
        self.frames: list[bytes] = []

    def write(self, frame: bytes) -> None:
        self.frames.append(frame)

    def get_write_buffer_size(self) -> int:
        return self.unread

    async def messages(self) -> list[Message]:
        """All that was written."""
        reader = asyncio.StreamReader()
        reader.feed_data(b"".join(self.frames))
        reader.feed_eof()
        found = []
        while (message := await read_frame(reader)) is not None:
            found.append(message)
        return found


class Playing:
    """Plays one match until a test lets it end."""

    def __init__(self) -> None:
        self.transcript = Transcript()
        self.person: PersonPlayer | None = None
        self.end = asyncio.Event()
        self.closed = False

    async def play(
        self, job: MatchJob, transcript: Transcript, person: PersonPlayer | None
    ) -> Outcome:
        self.transcript, self.person = transcript, person
        await self.end.wait()
        return Voided(job.match_id, VoidReason.SANDBOX, "as the test says")

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
async def playing() -> Playing:
    return Playing()


@pytest.fixture
def sink() -> Sink:
    return Sink()


@pytest.fixture
def desk(playing: Playing, sink: Sink) -> Any:
    return module._Desk(cast("Worker", playing), cast("asyncio.WriteTransport", sink))


JOB = job(Path("a"), Path("b"))


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_each_job_is_answered_once_under_its_number(
    desk: Any, playing: Playing, sink: Sink
) -> None:
    """Also two jobs of one match."""
    desk.take(Message(1, job=JOB))
    desk.take(Message(2, job=JOB))
    await settle()
    playing.end.set()
    await settle()
    answers = await sink.messages()
    assert sorted(answer.number for answer in answers) == [1, 2]
    assert all(answer.voided and answer.voided.match_id == JOB.match_id for answer in answers)


@pytest.mark.parametrize("begun", [True, False])
async def test_a_stopped_match_is_answered_too(desk: Any, sink: Sink, begun: bool) -> None:
    """Whether it had begun or not; an order about it that comes too late is nobody's."""
    desk.take(Message(1, job=JOB))
    if begun:
        await settle()
    desk.take(Message(1, order=Order.STOP))
    await settle()
    for order in Order:
        desk.take(Message(1, order=order))
    await settle()
    (answer,) = await sink.messages()
    assert answer.voided is not None
    assert answer.voided.reason is VoidReason.STOPPED


async def test_lines_are_told_while_somebody_watches(
    desk: Any, playing: Playing, sink: Sink
) -> None:
    """All so far at once, then each as it comes, in their places; then none any more."""
    desk.take(Message(1, job=JOB))
    await settle()
    for line in LINES[:2]:
        playing.transcript.add(line)
    assert sink.frames == []
    desk.take(Message(1, order=Order.WATCH))
    playing.transcript.add({"type": "peek", "cards": ["secret"]})
    for line in LINES[2:4]:
        playing.transcript.add(line)
    desk.take(Message(1, order=Order.UNWATCH))
    playing.transcript.add(LINES[4])
    told = [(message.before, list(message.lines)) for message in await sink.messages()]
    assert told == [(0, LINES[:2]), (2, LINES[2:3]), (3, LINES[3:4])]


async def test_a_reader_that_is_too_slow_is_told_no_more(
    desk: Any, playing: Playing, sink: Sink
) -> None:
    """The match goes on, and its outcome is told all the same."""
    desk.take(Message(1, job=JOB))
    await settle()
    desk.take(Message(1, order=Order.WATCH))
    sink.unread = 2 * module._MOST_UNREAD
    for line in LINES:
        playing.transcript.add(line)
    playing.end.set()
    await settle()
    first, cut, outcome = await sink.messages()
    assert (first.lines, cut.cut) == ((), True)
    assert outcome.voided is not None
    assert playing.transcript.lines == LINES


async def test_a_person_is_asked_over_the_pipe_and_sees_what_the_seat_sees(
    desk: Any, playing: Playing, sink: Sink
) -> None:
    """The answers go to the player that asked; without a person there is none."""
    desk.take(Message(1, job=replace(JOB, seats=(JOB.seats[0], PERSON))))
    desk.take(Message(2, job=JOB))
    await settle()
    assert playing.person is None
    person = desk._in_play[1].person
    desk.take(Message(1, order=Order.WATCH))
    line = {"type": "refill", "round": 1, "seat": 1, "cards": ["12"]}
    desk._in_play[1].transcript.add(line)
    asking = asyncio.create_task(person._ask(READY, 20.0))
    await settle()
    desk.take(Message(2, answered=Answered(1, {"ready": True})))
    desk.take(Message(1, answered=Answered(1, {"ready": True})))
    answer, _ = await asking
    assert answer is wire.READY
    desk.take(Message(1, order=Order.LEAVE))
    with pytest.raises(PlayerGone):
        await person._ask(READY, 20.0)
    said = [m for m in await sink.messages() if m.question or m.settled or m.lines]
    assert [m.number for m in said] == [1, 1, 1]
    assert said[0].lines == ({**line, "drawn": 1},)
    assert said[1].question == Question(1, 20.0, READY)
    assert said[2].settled == Settled(1, answered=True)


async def test_closing_stops_what_is_played(desk: Any, playing: Playing) -> None:
    """And then the worker's bots."""
    desk.take(Message(1, job=JOB))
    await settle()
    await desk.close()
    assert playing.closed
    assert not playing.end.is_set()
