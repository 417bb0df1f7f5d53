"""One match as its messages tell it, without a server."""

from __future__ import annotations

import logging
import time
from typing import Any

import pytest

from arena.games import game
from arenabot import CLAIM, ClaimsBot, wire
from arenabot.bots import MatchInfo
from arenabot.conversation import Conversation
from arenabot.events import MatchReason, Result
from arenabot.options import ClaimsOptions
from arenabot.v1 import player_pb2 as player

INFO = MatchInfo("claims", ClaimsOptions(), 0, 2, 7, 0.05, 60.0, 600.0)
STATE = game("claims").new_match(seats=2, seed=bytes(32))
PROMPT = STATE.prompt(0)


class Recorder(ClaimsBot):
    """Claims whenever it is asked, and writes down what it is told."""

    answer: Any = CLAIM
    nap = 0.0
    heard: list[str]

    def match_started(self, match: MatchInfo) -> None:
        """A new object hears nothing of old matches."""
        assert not hasattr(self, "heard")
        self.heard = ["started"]

    def turn(self, observation: Any) -> Any:
        """Claim."""
        self.heard.append(f"turn {observation.turn}")
        time.sleep(self.nap)
        return self.answer

    def match_ended(self, result: Result) -> None:
        """The end."""
        self.heard.append("ended")


def begun(bot: type[Recorder] = Recorder) -> Conversation:
    """A conversation whose match has started."""
    conversation = Conversation({"claims": bot})
    assert conversation.answer(wire.match_started(1, "m", INFO)) is None
    return conversation


def question(seq: int = 2, seconds: float = 5.0) -> player.PlayRequest:
    """A turn, with the deal as news when it is the first one."""
    news = STATE.events if seq == 2 else []
    return wire.your_turn(seq, news, 0, PROMPT, seconds)


def test_questions_are_answered_with_their_numbers() -> None:
    """A turn with an action, a ready check with ready, the end with nothing."""
    match = begun()
    assert match.answer(question(2)) == wire.answer(2, CLAIM)
    assert match.answer(wire.ready_check(3, [], 0, 60.0)) == wire.ready(3)
    ended = wire.match_ended(4, [], 0, Result(MatchReason.TARGET, (0, 301), (1, 2)))
    assert match.answer(ended) is None


def test_every_match_gets_a_new_bot() -> None:
    """Nothing is left of the match before."""
    first, second = begun(), begun()
    assert first._driver is not None
    assert second._driver is not None
    assert first._driver.bot is not second._driver.bot


@pytest.mark.parametrize("answer", [None, "claim", 3, [CLAIM], CLAIM.__class__])
def test_what_is_no_action_is_sent_as_nothing(
    answer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """The arena calls it malformed; the author reads what was returned."""
    bot = type("Wrong", (Recorder,), {"answer": answer})
    with caplog.at_level(logging.ERROR, "arenabot"):
        assert begun(bot).answer(question()) == player.PlayResponse(seq=2)
    assert "which is no action: return one of observation.legal_actions()" in caplog.text
    assert "Traceback" not in caplog.text


def test_a_stale_question_is_heard_but_not_asked() -> None:
    """Its news counts, and the bot's time does not go into an answer that nobody awaits."""
    match = begun()
    assert match.answer(question(2), stale=True) is None
    assert match.behind
    assert match.answer(wire.ready_check(3, [], 0, 60.0), stale=True) is None
    assert match.answer(question(4)) == wire.answer(4, CLAIM)
    assert match._driver is not None
    assert match._driver.bot.heard == ["started", "turn 1"]  # type: ignore[attr-defined]


def test_a_bot_that_was_too_slow_falls_behind_until_it_is_quick_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its author reads by how much."""
    match = begun(type("Slow", (Recorder,), {"nap": 0.1}))
    match.answer(question(2, 0.05))
    assert match.behind
    assert "message 2 took 0.1" in caplog.text
    assert "s of 0.050 s" in caplog.text
    match.answer(question(3, 5.0))
    assert match.behind is False


@pytest.mark.parametrize(
    ("messages", "why"),
    [
        ([question()], "does not begin with match_started"),
        ([player.PlayRequest(seq=1)], "does not begin with match_started"),
        ([wire.match_started(1, "m", INFO)] * 2, "a message of an unknown kind"),
        (
            [wire.match_started(1, "m", INFO), player.PlayRequest(seq=2)],
            "a message of an unknown kind: is this SDK older than the arena",
        ),
    ],
)
def test_messages_out_of_order_are_refused(messages: list[player.PlayRequest], why: str) -> None:
    """An SDK that is too old says so, instead of guessing."""
    match = Conversation({"claims": Recorder})
    with pytest.raises(wire.WireError, match=why):
        for message in messages:
            match.answer(message)


def test_a_game_that_the_bot_does_not_play_is_refused() -> None:
    """With the ones that it plays."""
    match = Conversation({"claim": Recorder, "claro": Recorder})
    with pytest.raises(wire.WireError, match="'claims', but this bot plays: claim, claro"):
        match.answer(wire.match_started(1, "m", INFO))
