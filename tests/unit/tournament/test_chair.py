"""What a person is asked is shown as it is, and an answer counts or is refused with a reason."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from arena.players.choices import READY, Choices, Kind
from arena.players.person import Question, Settled
from arena.tournament.chair import Asked, Chair, NotTaken, TooLate
from arena.tournament.frames import Answered

CARDS = Choices(Kind.TURN, play=("12", "J1"))


class Table:
    """A chair, what it says to the worker, and its clock."""

    def __init__(self) -> None:
        self.now = 100.0
        self.said: list[Answered | None] = []
        self.chair = Chair(lambda: self.now)

    def begin(self) -> Chair:
        self.chair.begin(self.said.append)
        return self.chair

    def ask(self, number: int = 1, seconds: float = 20.0, choices: Choices = CARDS) -> None:
        self.chair.hear(Question(number, seconds, choices))


@pytest.fixture
async def table() -> Table:
    made = Table()
    made.begin()
    return made


async def answered(table: Table, number: int, said: dict[str, Any], *, taken: bool) -> None:
    """Answer, and let the worker say what became of it."""
    answering = asyncio.create_task(table.chair.answer(number, said))
    await asyncio.sleep(0)
    table.chair.hear(Settled(number, answered=taken))
    await answering


async def test_a_question_tells_how_much_time_is_left(table: Table) -> None:
    """As long as it is open."""
    assert not table.chair.question
    table.ask()
    table.now += 7
    assert table.chair.question == Asked(1, CARDS, 20.0, 13.0)
    table.now += 15
    assert table.chair.question == Asked(1, CARDS, 20.0, 0.0)
    table.chair.hear(Settled(1, answered=False))
    assert table.chair.question is None


async def test_an_answer_counts_once_the_worker_has_taken_it(table: Table) -> None:
    """Until then it is on its way, and nothing is asked."""
    table.ask()
    answering = asyncio.create_task(table.chair.answer(1, {"play": "12"}))
    await asyncio.sleep(0)
    assert not answering.done()
    assert table.chair.question is None
    assert table.said == [Answered(1, {"play": "12"})]
    table.chair.hear(Settled(1, answered=True))
    await answering


@pytest.mark.parametrize("ended", ["time", "match", "left"])
async def test_an_answer_that_was_not_taken_is_late(table: Table, ended: str) -> None:
    """Whoever gave it is told."""
    table.ask()
    answering = asyncio.create_task(table.chair.answer(1, {"play": "12"}))
    await asyncio.sleep(0)
    if ended == "time":
        table.chair.hear(Settled(1, answered=False))
    elif ended == "match":
        table.chair.end()
    else:
        table.chair.leave()
    with pytest.raises(TooLate):
        await answering


async def test_an_answer_after_the_time_is_refused_here(table: Table) -> None:
    """The worker waits a moment longer, but for what is on its way only."""
    table.ask()
    table.now += 20.01
    with pytest.raises(TooLate, match="time was over"):
        await table.chair.answer(1, {"play": "12"})
    assert table.said == []


async def test_what_cannot_be_answered_costs_nothing_but_time(table: Table) -> None:
    """The question stays open, and the worker hears nothing of it."""
    table.ask()
    with pytest.raises(NotTaken, match="can't be played"):
        await table.chair.answer(1, {"play": "13"})
    assert table.said == []
    assert table.chair.question is not None
    await answered(table, 1, {"play": "12"}, taken=True)


async def test_a_question_is_answered_once(table: Table) -> None:
    """Also from two pages of one person at the same time."""
    table.ask()
    answering = asyncio.create_task(table.chair.answer(1, {"play": "12"}))
    await asyncio.sleep(0)
    with pytest.raises(NotTaken, match="already"):
        await table.chair.answer(1, {"play": "J1"})
    table.chair.hear(Settled(1, answered=True))
    await answering
    assert len(table.said) == 1


async def test_what_is_not_asked_is_not_answered(table: Table) -> None:
    """Before, after, and another number."""
    for ask in (False, True):
        if ask:
            table.ask(2)
        with pytest.raises(TooLate, match="asked"):
            await table.chair.answer(1, {"play": "12"})


async def test_who_follows_hears_of_each_question(table: Table) -> None:
    """From what is asked at first until the match ends."""
    seen: list[int | None] = []

    async def follow() -> None:
        seen.extend(
            [None if asked is None else asked.number async for asked in table.chair.questions()]
        )

    following = asyncio.create_task(follow())
    for number in (1, 2):
        await asyncio.sleep(0)
        table.ask(number, choices=READY)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        table.chair.hear(Settled(number, answered=False))
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    table.chair.end()
    await following
    assert seen == [None, 1, None, 2, None]


@pytest.mark.parametrize("early", [True, False])
async def test_leaving_is_said_once(early: bool) -> None:
    """Also if the person leaves before the match is with a worker."""
    table = Table()
    if early:
        table.chair.leave()
    table.begin()
    table.chair.leave()
    table.chair.leave()
    assert table.said == [None]
    assert table.chair.left
    table.ask()
    assert table.chair.question is None
