"""A person is asked like a bot, on the clock of whoever asks; going away is said once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from arena.games import State, game
from arena.match.faults import FaultKind, PlayerFault, PlayerGone
from arena.match.player import Answer
from arena.players import person as module
from arena.players.choices import Kind
from arena.players.person import PersonPlayer, Question, Settled
from arenabot.bots import MatchInfo

#: What is done at each question.
Doing = Callable[[PersonPlayer, Question], None]


class Served:
    """A person at a table of Claims, to whom a test may do something at each question."""

    def __init__(self, doing: Doing = lambda *_: None) -> None:
        self.told: list[Question | Settled] = []
        self.player = PersonPlayer(self._hear)
        self.asked = asyncio.Event()
        self._doing = doing
        self.state: State = game("claims").new_match(seats=2, seed=bytes(32))
        self.hand = [str(card) for card in self.state.observation(0).hand]

    def _hear(self, told: Question | Settled) -> None:
        self.told.append(told)
        if isinstance(told, Question):
            self.asked.set()
            self._doing(self.player, told)

    async def turn(self, seconds: float = 5.0) -> Answer:
        """Ask for the first turn."""
        options = game("claims").options({})
        info = MatchInfo("claims", options, 0, 2, 7, seconds, seconds, 600.0)
        await self.player.start("match", info, 10.0)
        return await self.player.turn(self.state.events, self.state.prompt(0), seconds)


def burns(*cards: str) -> dict[str, Any]:
    """An answer."""
    return {"burn": list(cards), "draw": "deck"}


async def test_an_answer_is_an_action_and_costs_its_time() -> None:
    """The question has the seat's own cards and no others."""
    served = Served()

    async def answer_later() -> None:
        await served.asked.wait()
        await asyncio.sleep(0.05)
        served.player.answer(1, burns(served.hand[0]))

    later = asyncio.create_task(answer_later())
    answer = await served.turn()
    await later
    assert str(answer.action) == f"burn {served.hand[0]}, draw from the deck"
    assert 0.04 < answer.seconds < 5
    asked, settled = served.told
    assert isinstance(asked, Question)
    assert (asked.number, asked.seconds, asked.choices.kind) == (1, 5.0, Kind.TURN)
    assert sorted(card for ranked in asked.choices.burn for card in ranked) == sorted(served.hand)
    assert settled == Settled(1, answered=True)


async def test_no_answer_is_a_fault_that_costs_all_of_the_time() -> None:
    """And no more than that, though what is on its way is waited for."""
    served, began = Served(), time.monotonic()
    with pytest.raises(PlayerFault) as fault:
        await served.turn(0.1)
    assert (fault.value.kind, fault.value.seconds) == (FaultKind.TIMEOUT, 0.1)
    assert 0.1 + module.ON_THE_WAY <= time.monotonic() - began < 5
    assert served.told[-1] == Settled(1, answered=False)


async def test_what_came_while_nobody_could_look_is_taken() -> None:
    """This process may have stood still until the time was over, the answer in its pipe."""

    def stand_still(player: PersonPlayer, asked: Question) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(0.01, time.sleep, 0.2)
        loop.call_later(0.12, player.answer, asked.number, burns(served.hand[0]))

    served = Served(stand_still)
    answer = await served.turn(0.1)
    assert answer.seconds == 0.1


@pytest.mark.parametrize("wrong", ["number", "cards", "kind"])
async def test_what_is_no_answer_to_the_question_changes_nothing(wrong: str) -> None:
    """The time runs on, and another answer is taken."""

    def answer_twice(player: PersonPlayer, asked: Question) -> None:
        number = asked.number + (wrong == "number")
        cards = ["nonsense"] if wrong == "cards" else served.hand[1:2]
        player.answer(number, {"ready": True} if wrong == "kind" else burns(*cards))
        player.answer(asked.number, burns(served.hand[0]))
        player.answer(asked.number, burns(served.hand[1]))

    def later(player: PersonPlayer, asked: Question) -> None:
        asyncio.get_running_loop().call_soon(answer_twice, player, asked)

    served = Served(later)
    answer = await served.turn()
    assert served.hand[0] in str(answer.action)
    assert not isinstance(answer, PlayerFault)


async def test_ready_is_asked_and_a_late_one_is_waited_for_no_longer() -> None:
    """It is no fault; the time is what it took."""

    def say_ready(player: PersonPlayer, asked: Question) -> None:
        asyncio.get_running_loop().call_soon(player.answer, asked.number, {"ready": True})

    served = Served(say_ready)
    options = game("claims").options({})
    await served.player.start("match", MatchInfo("claims", options, 0, 2, 7, 1, 1, 600), 10)
    assert await served.player.ready((), 5.0) < 5
    served._doing = lambda *_: None
    assert await served.player.ready((), 0.05) == 0.05
    assert [type(told) for told in served.told] == [Question, Settled] * 2


@pytest.mark.parametrize("when", ["before", "while asked"])
async def test_who_leaves_is_gone_at_once(when: str) -> None:
    """And is asked nothing more."""

    def leave(player: PersonPlayer, _: Question) -> None:
        asyncio.get_running_loop().call_soon(player.leave)

    served = Served(leave if when == "while asked" else lambda *_: None)
    if when == "before":
        served.player.leave()
    for _ in range(2):
        with pytest.raises(PlayerGone) as gone:
            await served.turn()
        assert gone.value.kind is FaultKind.LEFT
    asked = [told for told in served.told if isinstance(told, Question)]
    assert len(asked) == (when == "while asked")


async def test_a_match_that_is_stopped_settles_its_question() -> None:
    """So nobody is shown a question that is over."""
    served = Served()
    turn = asyncio.create_task(served.turn())
    await served.asked.wait()
    turn.cancel()
    await asyncio.wait({turn})
    assert served.told[-1] == Settled(1, answered=False)
