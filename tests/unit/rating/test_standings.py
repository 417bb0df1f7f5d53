"""Standings follow from results alone: their places in the schedule, never names or arrival."""

import random
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating import (
    ByBlock,
    ByMatch,
    Ladder,
    Learner,
    MatchResult,
    PackageRater,
    Passes,
    Rating,
    RatingError,
    TrueSkillRater,
    standings,
)

#: All ways to learn, each with nothing learnt.
LEARNERS = [
    pytest.param(lambda: ByMatch(TrueSkillRater()), id="by match"),
    pytest.param(lambda: ByMatch(PackageRater()), id="by match, with the package"),
    pytest.param(lambda: ByBlock(TrueSkillRater()), id="by block"),
    pytest.param(lambda: Passes(TrueSkillRater()), id="passes"),
]

# What is tested is the numbers; how long they take depends on who else is at work.
unhurried = settings(deadline=None, max_examples=50)


def result(
    place: int,
    entries: tuple[int, ...],
    points: tuple[int, ...],
    faults: tuple[int, ...] = (),
    rotation: int = 0,
) -> MatchResult:
    """A match in which fewer points are better."""
    ranks = tuple(1 + sum(other < mine for other in points) for mine in points)
    return MatchResult((place, rotation), entries, ranks, points, faults or (0,) * len(entries))


@st.composite
def results(
    draw: st.DrawFn, *, field: int = 6, most: int = 6, ties: bool = True
) -> list[MatchResult]:
    """Blocks of a field at tables of two to four, whole or broken off."""
    made = []
    for place in range(draw(st.integers(1, most))):
        size = draw(st.integers(2, 4))
        entries = tuple(draw(st.permutations(range(field)))[:size])
        for rotation in range(draw(st.sampled_from([1, size]))):
            points = draw(
                st.lists(
                    st.integers(0, 3 if ties else 99), min_size=size, max_size=size, unique=not ties
                )
            )
            faults = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
            made.append(result(place, entries, tuple(points), tuple(faults), rotation))
    return made


def told_from(one: MatchResult, seat: int) -> MatchResult:
    """The same match, its seats listed from another on."""
    seat %= len(one.entries)
    lists = (one.entries, one.ranks, one.points, one.faults)
    return MatchResult(one.order, *((*values[seat:], *values[:seat]) for values in lists))


def renamed(one: MatchResult, names: list[int]) -> MatchResult:
    """The same match of entries with other numbers."""
    entries = tuple(names[entry] for entry in one.entries)
    return MatchResult(one.order, entries, one.ranks, one.points, one.faults)


@pytest.mark.parametrize("learner", LEARNERS)
@unhurried
@given(rated=results(), chance=st.randoms(use_true_random=False))
def test_arrival_makes_no_difference(
    learner: Callable[[], Learner], rated: list[MatchResult], chance: random.Random
) -> None:
    """Bit for bit, ties included, for every way to learn: results in any order, seats listed from
    any on."""
    arrived = [told_from(one, chance.randrange(4)) for one in rated]
    chance.shuffle(arrived)
    assert standings(arrived, learner=learner()) == standings(rated, learner=learner())


@pytest.mark.parametrize("learner", LEARNERS)
@unhurried
@given(rated=results(), chance=st.randoms(use_true_random=False))
def test_a_ladder_that_grew_is_bit_equal_to_one_made_anew(
    learner: Callable[[], Learner], rated: list[MatchResult], chance: random.Random
) -> None:
    """However it was extended, and however often it was looked at on the way."""
    ladder = Ladder(learner=learner())
    waiting = rated
    while waiting:
        count = chance.randint(1, len(waiting))
        ladder.extend(chance.sample(waiting[:count], count))
        ladder.standings()
        waiting = waiting[count:]
    assert ladder.standings() == standings(rated, learner=learner())


def test_a_ladder_refuses_what_comes_before_its_end_and_takes_none_of_it() -> None:
    """What is before the end has been counted without it."""
    ladder = Ladder()
    ladder.extend([result(3, (0, 1), (1, 2))])
    before = ladder.standings()
    for place, said in ((3, "same place"), (2, "comes too late")):
        with pytest.raises(RatingError, match=said):
            ladder.extend([result(9, (0, 1), (2, 1)), result(place, (0, 1), (2, 1))])
    assert ladder.standings() == before
    ladder.extend([])
    ladder.extend([result(4, (0, 1), (2, 1))])
    assert ladder.standings() != before


def test_the_schedule_makes_a_difference() -> None:
    """Winning first and losing then is not losing first and winning then."""
    one = [result(0, (0, 1), (1, 2)), result(1, (0, 1), (2, 1))]
    other = [result(1, (0, 1), (1, 2)), result(0, (0, 1), (2, 1))]
    assert standings(one) != standings(other)


@unhurried
@given(results(ties=False), st.permutations(range(6)))
def test_numbers_of_entries_are_only_names(rated: list[MatchResult], names: list[int]) -> None:
    """Without ties other numbers permute the ratings, bit for bit."""
    there = {s.entry: s.rating for s in standings([renamed(one, names) for one in rated])}
    assert {names[s.entry]: s.rating for s in standings(rated)} == there


@unhurried
@given(results(), st.permutations(range(6)))
def test_names_show_in_ties_only_and_hardly(rated: list[MatchResult], names: list[int]) -> None:
    """With ties other numbers change ratings by less than anyone could rank by."""
    there = {s.entry: s.rating for s in standings([renamed(one, names) for one in rated])}
    for standing in standings(rated):
        other = there[names[standing.entry]]
        assert standing.mu == pytest.approx(other.mu, abs=0.02)
        assert standing.sigma == pytest.approx(other.sigma, abs=0.02)


@unhurried
@given(results())
def test_names_in_the_same_order_change_nothing(rated: list[MatchResult]) -> None:
    """Bit for bit, ties included."""
    names = [10 * entry + 3 for entry in range(6)]
    there = [(s.entry, s.rating) for s in standings([renamed(one, names) for one in rated])]
    assert [(names[s.entry], s.rating) for s in standings(rated)] == there


@unhurried
@given(results())
def test_what_is_counted_adds_up(rated: list[MatchResult]) -> None:
    """Matches, wins, ranks, points and faults are those of the results."""
    found = standings(rated)
    assert sum(s.matches for s in found) == sum(len(one.entries) for one in rated)
    assert sum(s.wins for s in found) == sum(one.ranks.count(1) for one in rated)
    assert sum(s.faults for s in found) == sum(sum(one.faults) for one in rated)
    assert sum(s.mean_rank * s.matches for s in found) == pytest.approx(
        sum(sum(one.ranks) for one in rated)
    )
    assert sum(s.mean_points * s.matches for s in found) == pytest.approx(
        sum(sum(one.points) for one in rated)
    )


@unhurried
@given(results())
def test_the_best_score_stands_first(rated: list[MatchResult]) -> None:
    """Equal scores share a rank and stand by number; the score is mu - 3 sigma."""
    found = standings(rated)
    assert [(-s.score, s.entry) for s in found] == sorted((-s.score, s.entry) for s in found)
    for standing in found:
        assert standing.rank == 1 + sum(other.score > standing.score for other in found)
        assert standing.score == standing.mu - 3 * standing.sigma


def test_a_shared_win_is_a_win_for_each() -> None:
    """As in the rules, where ties share the win."""
    found = standings([result(0, (0, 1, 2), (5, 5, 9)), result(1, (0, 1, 2), (1, 2, 3))])
    assert {s.entry: s.wins for s in found} == {0: 2, 1: 1, 2: 0}


def test_matches_that_all_end_level_leave_all_equal() -> None:
    """Every pair of five ties every other over and over, in an order that favours nobody."""
    pairs = [(a, b) for turn in range(40) for a in range(5) for b in range(5) if a < b]
    found = standings([result(place, pair, (7, 7)) for place, pair in enumerate(pairs)])
    assert all(s.mu == pytest.approx(25) for s in found)
    assert max(s.sigma for s in found) - min(s.sigma for s in found) < 0.02


@unhurried
@given(results(), st.sampled_from([0, 0.01, 0.2]))
def test_whoever_has_played_is_known_better(rated: list[MatchResult], probability: float) -> None:
    """Ties or not, whatever was thought of their probability."""
    rater = TrueSkillRater(draw_probability=probability)
    assert all(s.sigma < rater.new().sigma for s in standings(rated, learner=ByMatch(rater)))


def test_whoever_has_not_played_stands_with_a_newcomers_rating() -> None:
    """Entries without matches are part of a table."""
    found = standings([], entries=[2, 1])
    assert [(s.entry, s.rank, s.matches, s.mean_rank) for s in found] == [
        (1, 1, 0, 0.0),
        (2, 1, 0, 0.0),
    ]
    assert found[0].rating == Rating(25.0, 25 / 3)
    assert found[0].score == pytest.approx(0)


def test_a_field_of_known_strengths_comes_out_in_order() -> None:
    """Fifty matches of four, the strongest usually first."""
    chance = random.Random(5)
    rated = []
    for place in range(50):
        entries = tuple(chance.sample(range(4), 4))
        points = tuple(round(100 * chance.gauss(-4 * entry, 1)) for entry in entries)
        rated.append(result(place, entries, points))
    assert [standing.entry for standing in standings(rated)] == [3, 2, 1, 0]


def test_two_results_in_one_place_are_refused() -> None:
    """Which comes first would else be a matter of arrival."""
    with pytest.raises(RatingError, match=r"same place in the schedule, \(4, 0\)"):
        standings([result(4, (0, 1), (1, 2)), result(4, (0, 1), (2, 1))])


def test_any_rater_may_learn_the_strengths() -> None:
    """Here one that counts wins."""

    class Wins:
        def new(self) -> Rating:
            return Rating(0.0, 0.0)

        def update(
            self, before: Mapping[int, Rating], ranks: Mapping[int, int], *, matches: float = 1
        ) -> dict[int, Rating]:
            return {e: Rating(before[e].mu + (rank == 1), 0.0) for e, rank in ranks.items()}

    found = standings(
        [result(0, (0, 1), (2, 1)), result(1, (1, 2), (1, 2))], learner=ByMatch(Wins())
    )
    assert [(s.entry, s.score) for s in found] == [(1, 2.0), (0, 0.0), (2, 0.0)]
