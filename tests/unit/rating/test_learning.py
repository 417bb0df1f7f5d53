"""What each way to learn takes for one thing to learn from, and how often."""

import random

import pytest

from arena.rating import ByBlock, ByMatch, Learner, MatchResult, Passes, Rating, TrueSkillRater


def match(block: int, rotation: int, entries: tuple[int, ...]) -> MatchResult:
    """A match that the entries finish in the order in which they are listed."""
    ranks = tuple(range(1, len(entries) + 1))
    return MatchResult((block, rotation), entries, ranks, ranks, (0,) * len(entries))


def learnt(learner: Learner, results: list[MatchResult]) -> dict[int, Rating]:
    """The ratings after some results."""
    for result in results:
        learner.learn(result)
    return dict(learner.ratings())


def field_of_five(matches: int) -> list[MatchResult]:
    """Matches of four out of five, the lower number usually better."""
    chance = random.Random(7)
    played = []
    for place in range(matches):
        table = chance.sample(range(5), 4)
        table.sort(key=lambda entry: entry + chance.gauss(0, 2))
        played.append(match(place, 0, tuple(table)))
    return played


def test_a_block_counts_once_it_is_whole() -> None:
    """Two of three matches change nothing, and the next block does not wait for the third."""
    rater = TrueSkillRater()
    assert learnt(ByBlock(rater), [match(0, 0, (0, 1, 2)), match(0, 1, (0, 2, 1))]) == {}
    whole = [match(1, 0, (0, 1)), match(1, 1, (0, 1))]
    assert learnt(ByBlock(rater), [match(0, 0, (0, 1)), *whole]) == learnt(ByBlock(rater), whole)


def test_a_block_is_ranked_by_the_ranks_in_its_matches() -> None:
    """Two wins and a third place beat three second places: one update, as certain as three."""
    rater = TrueSkillRater()
    block = [match(0, 0, (0, 1, 2)), match(0, 1, (2, 1, 0)), match(0, 2, (0, 1, 2))]
    new = rater.new()
    expected = rater.update({0: new, 1: new, 2: new}, {0: 1, 1: 2, 2: 3}, matches=3)
    assert learnt(ByBlock(rater), block) == expected
    assert expected[0].sigma < learnt(ByMatch(rater), block[:1])[0].sigma


def test_passes_over_a_single_match_are_its_update() -> None:
    """There is nothing else to see it in the light of."""
    rater = TrueSkillRater()
    once = [match(0, 0, (3, 1, 2))]
    passed, updated = learnt(Passes(rater), once), learnt(ByMatch(rater), once)
    for entry, rating in updated.items():
        assert passed[entry].mu == pytest.approx(rating.mu, abs=1e-3)
        assert passed[entry].sigma == pytest.approx(rating.sigma, abs=1e-3)


def test_after_passes_it_hardly_matters_what_came_first() -> None:
    """Backwards, ratings move by a hundredth at most of what they do with one update a match."""
    played = field_of_five(40)

    def moved(way: type[ByMatch | Passes]) -> float:
        there, back = (learnt(way(TrueSkillRater()), row) for row in (played, played[::-1]))
        return max(abs(there[entry].mu - back[entry].mu) for entry in there)

    assert moved(Passes) < moved(ByMatch) / 100


@pytest.mark.parametrize("way", [ByMatch, ByBlock, Passes])
def test_learning_twice_as_much_makes_more_certain(
    way: type[ByMatch | ByBlock | Passes],
) -> None:
    """Whatever the way, in whole blocks of two."""
    block = [match(0, 0, (0, 1)), match(0, 1, (1, 0))]
    again = [match(1, 0, (0, 1)), match(1, 1, (1, 0))]
    once, twice = (learnt(way(TrueSkillRater()), row) for row in (block, block + again))
    assert all(twice[entry].sigma < once[entry].sigma for entry in (0, 1))
