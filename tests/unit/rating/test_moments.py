"""How ratings came about, and what is called a trend."""

import math
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating import ByMatch, Direction, Ladder, MatchResult, Passes, Rating, TrueSkillRater
from arena.rating.moments import LATELY, MOST, Moment, Moments, trends


def match(number: int, *entries: int) -> MatchResult:
    """A match that ended in this order."""
    ranks = tuple(range(1, len(entries) + 1))
    return MatchResult((number, 0), entries, ranks, ranks, (0,) * len(entries))


def noted(matches: int) -> Moments:
    """Moments in which entry 0 is believed to be worth as many as were played."""
    moments = Moments()
    for number in range(1, matches + 1):
        moments.note({0: Rating(number, 1)})
    return moments


@given(st.integers(1, 3000))
def test_moments_are_spread_evenly_over_all_matches(matches: int) -> None:
    """However many there were; the newest is the last, and few enough are kept."""
    found = noted(matches).all({0: Rating(matches, 1)})
    told = [moment.matches for moment in found]
    steps = {after - before for before, after in pairwise([0, *told[:-1]])}
    assert len(steps) <= 1
    assert told[-1] == matches
    assert min(matches, MOST // 2) <= len(told) <= MOST + 1
    assert [moment.rating(0) for moment in found] == [Rating(number, 1) for number in told]


@given(st.integers(2, 3000))
def test_a_trend_goes_back_by_the_newest_quarter(matches: int) -> None:
    """To the last moment before it, which is no more than two steps of a history earlier."""
    before = noted(matches).before()
    exact = matches * (1 - 1 / LATELY)
    assert before is not None
    assert exact - max(1, 2 * matches / MOST) <= before.matches <= exact


def test_one_match_goes_back_to_nothing() -> None:
    """Then all are new."""
    assert noted(1).before() is None
    assert trends(None, {3: Rating(25, 8)})[3].direction is Direction.NEW


def test_who_has_not_played_is_believed_to_be_worth_nothing_yet() -> None:
    """Between others, and behind all who have."""
    moment = Moment.of(4, {0: Rating(20, 2), 2: Rating(26, 4)})
    assert [moment.rating(entry) for entry in range(4)] == [
        Rating(20, 2),
        None,
        Rating(26, 4),
        None,
    ]
    assert moment.ranks() == {0: 1, 2: 1}


@pytest.mark.parametrize(
    ("moved", "direction"),
    [
        (0.0, Direction.SAME),
        (1.99, Direction.SAME),
        (-1.99, Direction.SAME),
        (2.01, Direction.UP),
        (-2.01, Direction.DOWN),
    ],
)
def test_what_chance_explains_is_no_trend(moved: float, direction: Direction) -> None:
    """A belief of sigma 2 that is now one of the root of 3 moves by 1, give or take."""
    before = Moment.of(9, {0: Rating(25, 2), 1: Rating(30, 2)})
    found = trends(before, {0: Rating(25 + moved, math.sqrt(3))})[0]
    assert (found.direction, found.rank, found.rating) == (direction, 2, Rating(25, 2))


def test_without_anything_learnt_there_is_no_trend() -> None:
    """At sigma's floor mu moves on by next to nothing, and that is no more than chance."""
    before = Moment.of(9, {0: Rating(25, 0.01)})
    assert trends(before, {0: Rating(25.001, 0.01)})[0].direction is Direction.SAME


def test_a_ladder_tells_of_trends() -> None:
    """Of a bot that lost to all and now beats all, of those whom it beats, and of a newcomer."""
    ladder = Ladder(entries=range(5))
    ladder.extend(
        match(number, *random.Random(number).sample((1, 2, 3), 3)) for number in range(60)
    )
    ladder.extend(match(60 + number, 1 + number % 3, 0) for number in range(30))
    ladder.extend(match(90 + number, 0, 1 + number % 3) for number in range(30))
    before, after = {one.entry: one for one in ladder.standings()}, ladder.copy()
    after.extend([match(200, 4, 3)])
    assert before[0].trend is not None
    assert (before[0].trend.direction, before[0].trend.rank) == (Direction.UP, 4)
    assert before[4].trend is None
    grown = {one.entry: one.trend for one in after.standings()}
    assert grown[4] is not None
    assert grown[4].direction is Direction.NEW
    assert after.moments()[-1].matches == 121
    assert ladder.moments()[-1].matches == 120


def test_moments_are_not_copied_with_their_ladder() -> None:
    """Of them there is much, and none ever changes."""
    ladder = Ladder(entries=range(2))
    ladder.extend([match(0, 0, 1)])
    assert ladder.copy().moments()[0] is ladder.moments()[0]


def test_what_is_worked_out_anew_for_each_look_is_not_followed() -> None:
    """It would be worked out a hundred times."""
    ladder = Ladder(learner=Passes(TrueSkillRater()))
    ladder.extend(match(number, 0, 1) for number in range(8))
    assert ladder.moments() == ()
    assert [one.trend for one in ladder.standings()] == [None, None]
    followed = Ladder(learner=ByMatch(TrueSkillRater()))
    followed.extend(match(number, 0, 1) for number in range(8))
    assert len(followed.moments()) == 8
