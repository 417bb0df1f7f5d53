"""Thinking on others' time: what is free, who is held still, and when it runs again."""

from __future__ import annotations

import pytest

from arena.tournament import pondering
from arena.tournament.pondering import FREE, FREE_EACH, Ponder, Pondering

TURNS = 20


class FakeMeter:
    """A bot's meter that the test moves."""

    def __init__(self, *, can_freeze: bool = True) -> None:
        self.can_freeze = can_freeze
        self.used = 1.0
        self.frozen = False
        self.done: list[str] = []

    def cpu(self) -> float:
        return self.used

    def freeze(self) -> None:
        self.frozen = True
        self.done.append("freeze")

    def thaw(self) -> None:
        self.frozen = False
        self.done.append("thaw")


@pytest.fixture(autouse=True)
def _always_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pondering, "_LOOK", 0.0)


def turns(meter: FakeMeter, watched: Pondering, own: float, others: float) -> None:
    """Let a bot use so much CPU time in each of its turns, and after it."""
    for _ in range(TURNS):
        watched.begin()
        assert not meter.frozen
        meter.used += own
        watched.rest(own)
        if not meter.frozen:
            meter.used += others


def test_own_time_is_no_pondering() -> None:
    """A bot may compute all through its turns."""
    meter = FakeMeter()
    watched = Pondering(meter, Ponder.FREEZE)
    turns(meter, watched, 5.0, 0.0)
    assert watched.seconds == pytest.approx(0)
    assert meter.done == []


def test_what_comes_before_the_first_question_is_no_pondering() -> None:
    """A bot may get ready for the match as it likes: that takes time from its first question."""
    meter = FakeMeter()
    watched = Pondering(meter, Ponder.FREEZE)
    assert watched.seconds == 0
    meter.used += 10.0
    turns(meter, watched, 0.01, 0.0)
    assert watched.seconds == pytest.approx(0)
    assert not watched.held


def test_a_little_is_free() -> None:
    """What gRPC does after an answer is no thinking."""
    meter = FakeMeter()
    watched = Pondering(meter, Ponder.FREEZE)
    turns(meter, watched, 0.001, FREE_EACH)
    assert not watched.held
    assert watched.seconds == pytest.approx(TURNS * FREE_EACH)


def test_who_goes_on_is_held_still_between_its_turns() -> None:
    """From when it was found out to the end, and thawed before each question."""
    meter = FakeMeter()
    watched = Pondering(meter, Ponder.FREEZE)
    turns(meter, watched, 0.01, FREE)
    assert watched.held
    assert watched.seconds is not None
    assert watched.seconds <= 2 * FREE + TURNS * FREE_EACH
    assert meter.done[:3] == ["freeze", "thaw", "freeze"]
    watched.begin()
    assert not meter.frozen


def test_measuring_holds_nobody() -> None:
    """It is told how much it was."""
    meter = FakeMeter()
    watched = Pondering(meter, Ponder.MEASURE)
    turns(meter, watched, 0.01, 1.0)
    assert watched.seconds == pytest.approx(TURNS * 1.0)
    assert (watched.held, meter.done) == (False, [])


def test_allowing_looks_at_nothing() -> None:
    """Nor does a bot without a meter: nothing is known of it."""
    meter = FakeMeter()
    turns(meter, allowed := Pondering(meter, Ponder.ALLOW), 0.01, 1.0)
    assert (allowed.seconds, allowed.held, meter.done) == (None, False, [])
    unknown = Pondering(None, Ponder.FREEZE)
    turns(meter, unknown, 0.01, 1.0)
    assert (unknown.seconds, unknown.held) == (None, False)


def test_questions_that_nobody_measures_are_measured_here() -> None:
    """Ready windows are a bot's own time, too."""
    meter = FakeMeter()
    watched = Pondering(meter, Ponder.FREEZE)
    with watched.own_time():
        meter.used += 3.0
    assert watched.seconds == pytest.approx(0)


def test_what_the_kernel_counts_late_is_not_held_against_a_bot_that_stands_still() -> None:
    """What its threads used since the last tick shows after its answer, in every turn."""
    meter = FakeMeter()
    watched = Pondering(meter, Ponder.FREEZE)
    turns(meter, watched, 0.01, 1.0)
    found = watched.seconds
    for _ in range(TURNS):
        watched.begin()
        meter.used += 0.01
        watched.rest(0.006)
    assert watched.seconds == found


def test_who_can_not_be_held_still_is_not_said_to_be() -> None:
    """What it computes is measured to the end."""
    meter = FakeMeter(can_freeze=False)
    watched = Pondering(meter, Ponder.FREEZE)
    turns(meter, watched, 0.01, 1.0)
    assert not watched.held
    assert watched.seconds == pytest.approx(TURNS)
