"""What is charged for a question: the laws of own time, and the clock of one question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.clock import BEAT, Charge, Ourselves, QuestionClock, own_time
from arena.match.faults import MatchStalled

seconds = st.floats(0, 100)
ROUNDING = 1e-9


@dataclass
class BotWorld:
    """A bot as its meter sees it: what it has used so far, set by the test."""

    used: float = 0.0
    has_waited: float = 0.0
    is_held: bool = False

    def cpu(self) -> float:
        return self.used

    def mark(self) -> float:
        return 0.0

    def waited(self, mark: float) -> float:
        return self.has_waited - mark

    def stopwatch(self) -> Callable[[float], float]:
        return float

    def held(self) -> bool:
        return self.is_held


@dataclass
class OurWorld:
    """This process as its meter sees it."""

    cpu: float = 0.0
    waited: float = 0.0
    helpers: float = 0.0
    is_behind: bool = False

    def mark(self) -> tuple[float, float, float]:
        return self.cpu, self.waited, self.helpers

    def since(self, mark: tuple[float, float, float]) -> tuple[float, float, float]:
        return self.cpu - mark[0], self.waited - mark[1], self.helpers - mark[2]

    def behind(self) -> bool:
        return self.is_behind


class Table:
    """A question of 0.1 s at second 10, a bot and ourselves."""

    allowed = 0.1

    def __init__(self) -> None:
        self.bot = BotWorld()
        self.ours = OurWorld()
        self.now = 10.0
        self.clock = QuestionClock(self.allowed, self.now, self.bot, Ourselves(self.ours))

    def until(self, moment: float, *, late: float = 0.0) -> Charge | None:
        """Look whenever the clock wants it, each time ``late``, for so long after the question."""
        while self.clock.due + late <= 10.0 + moment + ROUNDING:
            self.now = max(self.clock.due + late, self.now)
            if (over := self.clock.beat(self.now)) is not None:
                return over
        return None

    def answered(self, moment: float) -> Charge:
        self.now = 10.0 + moment
        return self.clock.answered(self.now)


# --- the arithmetic


@given(seconds, seconds, seconds, seconds)
def test_what_is_charged_is_part_of_the_wall_time(
    wall: float, cpu: float, waited: float, lag: float
) -> None:
    """Never less than nothing, never more than has passed."""
    assert 0 <= own_time(wall, cpu, waited, lag) <= wall


@given(seconds, seconds, seconds, seconds)
def test_no_more_is_let_off_than_others_took(
    wall: float, cpu: float, waited: float, lag: float
) -> None:
    """The credit is at most what the bot waited and we lagged."""
    assert wall - own_time(wall, cpu, waited, lag) <= waited + lag + ROUNDING


@given(seconds, seconds, seconds, seconds)
def test_cpu_time_is_always_charged(wall: float, cpu: float, waited: float, lag: float) -> None:
    """Whatever it claims to have waited, a bot pays for the time in which it ran."""
    assert own_time(wall, cpu, waited, lag) >= min(wall, cpu)


@given(seconds, seconds, seconds, seconds, seconds)
def test_sleep_is_never_cheaper_than_none(
    wall: float, cpu: float, waited: float, lag: float, sleep: float
) -> None:
    """With all else equal a bot that sleeps longer pays more, up to what it slept."""
    less, more = own_time(wall, cpu, waited, lag), own_time(wall + sleep, cpu, waited, lag)
    assert less <= more <= less + sleep + ROUNDING


# --- one question


@given(st.floats(0, 0.09), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_what_is_shown_adds_up_to_the_wall_time(
    moment: float, used: float, waited: float, helpers: float
) -> None:
    """Charged, delay and lag: whoever reads a replay can check the sum."""
    table = Table()
    table.until(moment / 2)
    table.bot.used, table.bot.has_waited, table.ours.helpers = used, waited, helpers
    table.until(moment)
    charged, measured = table.answered(moment)
    assert charged + measured.delay + measured.lag == pytest.approx(moment)
    assert min(measured.delay, measured.lag) >= 0


def test_a_quick_answer_costs_its_wall_time() -> None:
    """Nothing is looked up but its CPU time."""
    table = Table()
    table.bot.used, table.bot.has_waited = 0.002, 0.001
    charged, measured = table.answered(0.004)
    assert charged == pytest.approx(0.004)
    assert measured == (0.002, 0, 0)


def test_a_bot_that_sleeps_is_out_of_time_when_it_is_over() -> None:
    """What neither ran nor waited for a CPU slept, and pays for it."""
    table = Table()
    over = table.until(1)
    assert over is not None
    assert over.seconds == table.allowed
    assert table.now == pytest.approx(10.1)


def test_a_bot_that_waits_gets_the_time_back() -> None:
    """Others had the CPUs for 60 ms: the time ends so much later."""
    table = Table()
    table.bot.has_waited = 0.06
    assert table.until(0.155) is None
    assert table.answered(0.155).seconds == pytest.approx(0.095)
    assert table.until(1) is not None
    assert table.now == pytest.approx(10.16, abs=0.003)


@given(st.floats(0, 10))
def test_threads_that_keep_each_other_waiting_buy_nothing(waited: float) -> None:
    """A bot that ran all the time is out of time on time, however long its threads waited."""
    table = Table()
    table.bot.used, table.bot.has_waited = 0.1, waited
    assert table.until(1) is not None
    assert table.now == pytest.approx(10.1)


@given(
    st.lists(st.tuples(st.sampled_from(["work", "wait", "sleep"]), st.floats(0, 0.1)), max_size=12),
    st.floats(0, 0.01),
)
def test_time_is_over_once_work_and_sleep_have_used_it(
    phases: list[tuple[str, float]], late: float
) -> None:
    """However a turn is mixed of work, waiting and sleep, waiting alone moves its end."""

    def until(moment: float, *kinds: str) -> float:
        """How long the bot has done this, so long after the question; in the end it sleeps."""
        total = passed = 0.0
        for kind, length in [*phases, ("sleep", 100.0)]:
            part = min(length, moment - passed)
            total += part if kind in kinds else 0.0
            passed += part
        return total

    table = Table()
    over = None
    while over is None:
        moment = table.clock.due + late - 10.0
        table.bot.used, table.bot.has_waited = until(moment, "work"), until(moment, "wait")
        over = table.clock.beat(10.0 + moment)
    own = until(moment, "work", "sleep")
    assert own >= table.allowed - 0.001
    # We are late to the first beat, to the end, and to the last look two milliseconds later.
    assert own <= table.allowed + 3 * (late + 0.002)


def test_an_answer_that_may_lie_there_unread_is_looked_for() -> None:
    """We are 10 ms late to the end: that time is not the bot's, and one more look is taken."""
    table = Table()
    table.until(0.09)
    assert table.clock.beat(10.11) is None
    assert table.answered(0.111).seconds <= table.allowed


def test_an_answer_that_is_read_before_we_look_at_the_end_is_in_time() -> None:
    """Both were due, and the answer came to be read first: it may have been there in time."""
    table = Table()
    table.until(0.099)
    assert table.answered(0.15).seconds <= table.allowed + ROUNDING


def test_a_bot_that_was_at_work_after_the_end_was_late() -> None:
    """We were 10 ms late to the end, but it used CPU time since, as sending an answer does."""
    table = Table()
    table.until(0.09)
    assert table.clock.beat(10.11) is None
    table.bot.used = 0.0002
    assert table.answered(0.111).seconds > table.allowed


def test_what_we_waited_before_we_read_an_answer_is_not_charged() -> None:
    """It may have lain there for as long as we had no CPU."""
    table = Table()
    table.until(0.06)
    table.ours.waited = 0.015
    assert table.answered(0.075).seconds == pytest.approx(0.06)


def test_what_our_helpers_waited_is_not_charged() -> None:
    """gRPC's threads carry questions and answers, and had no CPU for 30 ms."""
    table = Table()
    table.until(0.05)
    table.ours.helpers = 0.03
    assert table.until(0.125) is None
    assert table.answered(0.125).seconds == pytest.approx(0.095)


def test_we_are_not_behind_for_ever() -> None:
    """A bot may keep gRPC's threads busy: that puts off its end by a tenth of a second at most."""
    table = Table()
    table.ours.is_behind = True
    assert table.until(9) is not None
    assert table.now == pytest.approx(10.2, abs=0.005)


def test_a_stall_that_nobody_can_explain_is_no_fault() -> None:
    """We neither ran nor waited for half a second: the machine stood still."""
    table = Table()
    table.until(0.05)
    assert table.clock.beat(10.55) is None
    with pytest.raises(MatchStalled, match=r"stood still for 0\.5"):
        table.until(9)


def test_a_bot_that_answers_in_spite_of_a_stall_is_let_off_it() -> None:
    """Its time went on after the stall as if there had been none."""
    table = Table()
    table.until(0.05)
    table.clock.beat(10.55)
    assert table.answered(0.58).seconds <= 0.08 + ROUNDING


def test_a_stall_in_which_we_ran_is_no_excuse() -> None:
    """We were busy, which a bot may have brought about: it gets the time, not the match."""
    table = Table()
    table.until(0.05)
    table.ours.cpu = 0.4
    table.clock.beat(10.55)
    assert table.until(9) is not None
    assert table.now <= 10.75


def test_another_question_does_not_hide_what_we_did() -> None:
    """Two questions are open; the one that is looked at first measures anew."""
    ours = OurWorld()
    ourselves = Ourselves(ours)
    first = QuestionClock(0.1, 10.0, BotWorld(), ourselves)
    ours.cpu = 0.4
    ourselves.note(10.5)
    first.beat(10.5)
    while first.beat(first.due) is None:
        pass


def test_a_bot_held_still_from_outside_is_not_to_blame() -> None:
    """Somebody paused its container."""
    table = Table()
    table.bot.is_held = True
    with pytest.raises(MatchStalled, match="held"):
        table.until(1)


def test_waiting_has_an_end() -> None:
    """On a machine that gives a bot nothing the match is void rather than endless."""
    table = Table()

    def starve() -> None:
        while True:
            table.bot.has_waited = table.clock.due - 10.0
            assert table.clock.beat(table.clock.due) is None

    with pytest.raises(MatchStalled, match="too much to do"):
        starve()


def test_a_bot_that_keeps_us_busy_is_out_of_time_and_its_match_stands() -> None:
    """What it sends makes each of our looks late; it neither runs nor waits for a CPU itself."""
    table = Table()
    late = 0.06

    def flood() -> Charge:
        while True:
            moment = table.clock.due + late
            table.ours.cpu = moment - 10.0
            if (over := table.clock.beat(moment)) is not None:
                table.now = moment
                return over

    assert flood().seconds == table.allowed
    assert table.now <= 10.0 + 2 * table.allowed + 2.0 + 3 * late


def test_a_bot_that_starved_beside_us_before_our_first_look_gets_its_time() -> None:
    """What it waited until then nobody saw, but we had no CPU either."""
    table = Table()
    table.ours.waited = 2.3
    assert table.clock.beat(12.3) is None
    table.bot.used = 0.05
    assert table.answered(2.35).seconds <= table.allowed


def test_a_starving_bot_is_not_out_of_time_because_we_work_for_another_match() -> None:
    """At the bound the match is void, as it is without us."""
    table = Table()

    def starve() -> None:
        while True:
            table.bot.has_waited = 0.98 * (table.clock.due - 10.0)
            table.bot.used = 0.02 * (table.clock.due - 10.0)
            table.ours.cpu = 0.03 * (table.clock.due - 10.0)
            assert table.clock.beat(table.clock.due) is None

    with pytest.raises(MatchStalled, match="too much to do"):
        starve()


@pytest.mark.parametrize("ours", [0.02, 0.005])
def test_where_all_are_late_the_match_is_void_unless_we_had_more_to_do_than_the_bot(
    ours: float,
) -> None:
    """Whoever floods us makes us work; who thinks works more than we do."""
    table = Table()

    def starve() -> None:
        while True:
            moment = table.clock.due - 10.0
            table.bot.has_waited, table.ours.helpers = 0.495 * moment, 0.495 * moment
            table.bot.used, table.ours.cpu = 0.01 * moment, ours * moment
            if table.clock.beat(table.clock.due) is not None:
                return

    if ours > 0.01:
        starve()
    else:
        with pytest.raises(MatchStalled, match="too much to do"):
            starve()


def test_without_meters_all_time_is_the_bots() -> None:
    """As for a bot that runs where nobody can measure it."""
    clock = QuestionClock(0.1, 10.0, None, Ourselves())
    while clock.due < 10.05:
        clock.beat(clock.due)
    charged, measured = clock.answered(10.05)
    assert charged == pytest.approx(0.05)
    assert measured.cpu is None
    while (over := clock.beat(clock.due)) is None:
        assert clock.due <= 10.1 + BEAT
    assert over.seconds == 0.1
