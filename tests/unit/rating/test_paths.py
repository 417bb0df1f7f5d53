"""How each entry's rating came about over matches of its own."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating import (
    ByBlock,
    ByMatch,
    Ladder,
    MatchResult,
    Passes,
    Rating,
    Step,
    TrueSkillRater,
)
from arena.rating.paths import LONGEST, Paths


def match(number: int, *entries: int) -> MatchResult:
    """A match that ended in this order."""
    ranks = tuple(range(1, len(entries) + 1))
    return MatchResult((number, 0), entries, ranks, ranks, (0,) * len(entries))


def season(seed: int, matches: int) -> list[MatchResult]:
    """Matches of three of five, of whom the last plays seldom."""
    chance = random.Random(seed)
    return [
        match(number, *chance.sample(range(5 if not number % 9 else 4), 3))
        for number in range(matches)
    ]


@given(st.integers(1, 2000))
def test_steps_are_spread_evenly_over_its_own_matches(matches: int) -> None:
    """However many there were; the newest is the last, and few enough are kept."""
    paths = Paths()
    for number in range(1, matches + 1):
        paths.note([7], {7: Rating(number, 1), 8: Rating(0, 1)})
    found = paths.of(7, Rating(matches, 1))
    told = [step.matches for step in found]
    assert len({after - before for before, after in pairwise([0, *told[:-1]])}) <= 1
    assert told[-1] == matches
    assert min(matches, LONGEST // 2) <= len(told) <= LONGEST + 1
    assert found == [Step(number, Rating(number, 1)) for number in told]
    assert paths.of(8, Rating(0, 1)) == []


@given(st.integers(0, 99), st.integers(0, 80))
def test_a_path_has_what_was_believed_after_each_match(seed: int, matches: int) -> None:
    """As if the ranking had ended there."""
    ladder = Ladder(entries=range(5))
    believed: dict[int, list[Step]] = {entry: [] for entry in range(5)}
    for result in season(seed, matches):
        ladder.extend([result])
        for standing in ladder.standings():
            if standing.entry in result.entries:
                believed[standing.entry].append(Step(standing.matches, standing.rating))
    for standing in ladder.standings():
        found = ladder.paths().of(standing.entry, standing.rating)
        expected = believed[standing.entry]
        kept = {step.matches for step in found}
        assert found == [step for step in expected if step.matches in kept]
        assert found[-1:] == expected[-1:]
        assert len(expected) > LONGEST or len(found) == len(expected)


@given(st.integers(0, 99), st.integers(0, 300), st.integers(0, 300))
def test_paths_that_are_kept_or_called_otherwise_go_on_as_they_would_have(
    seed: int, before: int, after: int
) -> None:
    """From numbers, and with others who have joined meanwhile."""
    results = season(seed, before + after)
    whole = Ladder(entries=range(5))
    whole.extend(results)
    begun, resumed = Ladder(entries=range(5)), Ladder(entries=range(5))
    begun.extend(results[:before])
    copied = begun.copy()
    resumed.resume(begun.columns(), begun.last)
    for ladder in (resumed, copied):
        ladder.extend(results[before:])
        assert ladder.paths() == whole.paths()
    numbers = {entry: entry + entry // 2 for entry in range(5)}
    begun.renumber(numbers, range(8))
    begun.extend(
        match(one.order[0], *(numbers[each] for each in one.entries)) for one in results[before:]
    )
    for standing in whole.standings():
        then = begun.paths().of(numbers[standing.entry], standing.rating)
        assert then == whole.paths().of(standing.entry, standing.rating)


def test_a_path_that_was_given_does_not_grow() -> None:
    """Whoever looks at a ranking looks at one moment."""
    ladder = Ladder(entries=range(2))
    ladder.extend([match(0, 0, 1)])
    given_ = ladder.paths()
    ladder.extend([match(1, 0, 1)])
    assert [step.matches for step in given_.of(0, Rating(1, 1))] == [1]
    assert [step.matches for step in ladder.paths().of(0, Rating(1, 1))] == [1, 2]


def test_a_path_begins_with_the_first_block_where_blocks_are_learnt_from() -> None:
    """Before that nothing is believed."""
    ladder = Ladder(entries=range(2), learner=ByBlock(TrueSkillRater()))
    results = [MatchResult((0, at), (0, 1), (1, 2), (1, 2), (0, 0)) for at in range(2)]
    ladder.extend(results)
    (step,) = ladder.paths().of(0, ladder.standings()[0].rating)
    assert step == Step(2, ladder.standings()[0].rating)


@pytest.mark.parametrize("learner", [ByMatch, Passes])
def test_who_has_not_played_has_no_path(learner: type[ByMatch | Passes]) -> None:
    """Nor has anybody where ratings are worked out anew for each look."""
    ladder = Ladder(entries=range(3), learner=learner(TrueSkillRater()))
    ladder.extend([match(0, 0, 1)])
    assert ladder.paths().of(2, Rating(25, 8)) == []
    assert bool(ladder.paths().of(0, Rating(25, 8))) is (learner is ByMatch)
