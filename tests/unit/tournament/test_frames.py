"""What a run and its workers say to each other arrives as it was said, or is refused."""

from __future__ import annotations

import asyncio
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from arena.match.record import MatchRecord
from arena.match.replay import Line
from arena.players.choices import READY, Choices, Kind
from arena.players.person import Question, Settled
from arena.tournament.frames import (
    Answered,
    BrokenPipeTalk,
    Message,
    Order,
    answer_frame,
    cut_frame,
    job_frame,
    lines_frame,
    order_frame,
    outcome_frame,
    person_frame,
    read_frame,
)
from arena.tournament.job import PERSON, Outcome, Played, Voided, VoidReason
from tests.unit.match.scripted import Scripted, play, setup
from tests.unit.tournament.jobs import job


def read(data: bytes) -> list[Message | None]:
    """Every message in ``data``, and what came after the last one."""

    async def all_of_it() -> list[Message | None]:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        messages = [await read_frame(reader)]
        while messages[-1] is not None:
            messages.append(await read_frame(reader))
        return messages

    return asyncio.run(all_of_it())


def record() -> MatchRecord:
    """A record with a fault, a log of any bytes and a binary replay."""
    played = play(setup(2), Scripted(lambda n, _: 30.0 if n == 1 else None))
    seat = replace(
        played.seats[0], log="\x00\x1b[31m\udcff line\n".encode("utf-8", "replace").decode()
    )
    return replace(played, seats=(seat, *played.seats[1:]))


def test_a_job_arrives_as_it_was_sent(tmp_path: Path) -> None:
    """Seeds of any bytes included."""
    sent = replace(job(tmp_path, tmp_path), seed=bytes(range(224, 256)))
    assert read(job_frame(sent, 7)) == [Message(7, job=sent), None]


@pytest.mark.parametrize(
    "outcome",
    [Played(record()), Voided("m", VoidReason.WORKER_DIED, "killed by SIGKILL")],
)
def test_an_outcome_arrives_as_it_was_sent(outcome: Outcome) -> None:
    """The replay too, byte for byte."""
    (message, end) = read(outcome_frame(outcome, 7))
    assert message is not None
    assert message.number == 7
    assert (message.played or message.voided) == outcome
    assert end is None


@pytest.mark.parametrize("order", Order)
def test_an_order_arrives_as_it_was_given(order: Order) -> None:
    """For the match that it is about."""
    assert read(order_frame(order, 7)) == [Message(7, order=order), None]


@pytest.mark.parametrize(
    "told",
    [
        Question(3, 20.0, Choices(Kind.TURN, burn=(("Ks", "Kh"), ("9s",)), draw=("deck", "pile"))),
        Question(4, 60.0, READY),
        Settled(3, answered=True),
        Settled(4, answered=False),
    ],
)
def test_what_a_person_is_asked_arrives(told: Question | Settled) -> None:
    """A question with all that can be answered, and that it is over."""
    (message, end) = read(person_frame(told, 7))
    assert message is not None
    assert (message.number, message.question or message.settled) == (7, told)
    assert end is None


def test_what_a_person_answers_arrives() -> None:
    """As it was said."""
    answered = Answered(3, {"burn": ["Ks", "Kh"], "draw": "pile"})
    assert read(answer_frame(answered, 7)) == [Message(7, answered=answered), None]


def test_a_job_says_which_seat_is_a_person_s(tmp_path: Path) -> None:
    """Or that none is."""
    plain = job(tmp_path, tmp_path)
    seated = replace(plain, seats=(plain.seats[0], PERSON))
    assert plain.person is None
    assert seated.person == 1
    assert read(job_frame(seated, 7)) == [Message(7, job=seated), None]


def test_public_lines_arrive_with_their_places() -> None:
    """So that whoever gets some twice can tell."""
    lines: list[Line] = [{"type": "pass", "seat": 1}, {"type": "result", "ranks": [1, 2]}]
    sent = Message(7, lines=tuple(lines), before=3)
    assert read(lines_frame(lines, 3, 7) + cut_frame(7)) == [sent, Message(7, cut=True), None]


def test_messages_come_one_after_the_other(tmp_path: Path) -> None:
    """A pipe carries many."""
    jobs = [job(tmp_path, tmp_path, block=block) for block in range(5)]
    got = read(b"".join(job_frame(wanted, at) for at, wanted in enumerate(jobs)))
    assert [message.job for message in got if message] == jobs


@pytest.mark.parametrize("cut", [1, 7, 8, 100])
def test_a_message_cut_off_by_death_is_the_end(tmp_path: Path, cut: int) -> None:
    """Half a message is no message."""
    assert read(job_frame(job(tmp_path, tmp_path), 1)[:cut]) == [None]


@pytest.mark.parametrize(
    "data",
    [
        struct.pack(">II", 4, 0) + b"null",
        struct.pack(">II", 2, 0) + b"{]",
        struct.pack(">II", 20, 0) + b'{"job": {"game": 1}}',
        struct.pack(">II", 1 << 31, 1 << 31),
        b"Traceback (most recent call last)",
    ],
)
def test_nonsense_is_refused(data: bytes) -> None:
    """A worker gone mad is noticed, and costs no memory."""
    with pytest.raises(BrokenPipeTalk):
        read(data)
