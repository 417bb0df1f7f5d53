"""The simulation behind the benches of fairness is what it says, and so is what they measure."""

from __future__ import annotations

import itertools
from statistics import fmean
from typing import Any

import pytest

from arena.games import game
from arena.rating import ByMatch, MatchResult, TrueSkillRater
from arena.schedule import Block, plan
from arenabot.bots import MatchInfo
from benches.fairness import Simulation, World, field_of
from benches.fairness.bots import variant
from benches.fairness.calibrate import likeness, loss, measured_luck, ties
from benches.fairness.cases import Case
from benches.fairness.measure import marks_to, until_right
from benches.fairness.replayed import Replayed
from benches.fairness.trials import run
from benches.fairness.ways import adaptive, our_blocks, random_tables

EQUALS = (0.0,) * 4


def blocks_of(field: Simulation, seats: int, blocks: int) -> list[list[MatchResult]]:
    """The beginning of our schedule, played."""
    entries = len(field.strengths)
    return [field.block(block) for block in plan(entries, seats, blocks=blocks, seed=b"x").blocks]


def test_equal_seeds_give_equal_matches() -> None:
    """And others give others."""
    one, same, other = (Simulation(EQUALS, World(0.5), seed) for seed in "aab")
    block = Block(3, (0, 1, 2, 3))
    assert one.block(block) == same.block(block) != other.block(block)
    assert one.match(7, (2, 1, 0)) == same.match(7, (2, 1, 0))


@pytest.mark.parametrize("draws", [0.0, 0.02, 0.1])
def test_equals_tie_as_often_as_the_world_says(draws: float) -> None:
    """To a hundredth, over six thousand pairs."""
    played = blocks_of(Simulation(EQUALS, World(0.3, draws), "ties"), 4, 250)
    assert ties(played) == pytest.approx(draws, abs=0.01)


def test_the_luck_of_the_deal_cancels_in_a_block() -> None:
    """Where all chance is the cards', equals have the same ranks in a block, though not in a
    match."""
    for block in blocks_of(Simulation(EQUALS, World(1.0), "luck"), 4, 20):
        sums = [0] * 4
        for match in block:
            assert sorted(match.ranks) == [1, 2, 3, 4]
            for entry, rank in zip(match.entries, match.ranks, strict=True):
                sums[entry] += rank
        assert sums == [10] * 4


def test_a_strength_of_one_is_as_much_as_the_chance_of_a_match() -> None:
    """One ahead by 1 wins against one other as a normal distribution says: 76 of 100."""
    field = Simulation((1.0, 0.0), World(0.3), "strength")
    won = [
        match.ranks[match.entries.index(0)] == 1 for b in blocks_of(field, 2, 1500) for match in b
    ]
    assert fmean(won) == pytest.approx(0.760, abs=0.025)


def test_a_field_is_as_far_apart_as_asked() -> None:
    """Exactly, or on average and never by less than half of it."""
    even = sorted(field_of(8, 0.3, "s"))
    assert [b - a for a, b in itertools.pairwise(even)] == pytest.approx([0.3] * 7)
    uneven = sorted(field_of(8, 0.3, "s", even=False))
    assert all(0.15 <= b - a <= 0.45 for a, b in itertools.pairwise(uneven))


@pytest.mark.parametrize("luck", [0.1, 0.6])
def test_the_share_of_the_cards_is_found_again(luck: float) -> None:
    """From simulated blocks of equals, to a twentieth."""
    played = blocks_of(Simulation(EQUALS, World(luck, 0.02), "again"), 4, 600)
    found, low, high = measured_luck(played, 0.02)
    assert found == pytest.approx(luck, abs=0.05)
    assert low < found < high < low + 0.15
    assert likeness(played)[0] < luck + 0.1


def test_the_right_beta_predicts_best() -> None:
    """Better than one a fifth, or five times as large."""
    played = blocks_of(Simulation(field_of(6, 1.0, "beta"), World(0.1), "beta"), 4, 60)
    right = loss(played, 25 / 6, 0.01)
    assert right < loss(played, 25 / 6 * 5, 0.01)
    assert right < loss(played, 25 / 6 / 5, 0.01)


def test_right_is_what_stays_right_in_95_of_100_runs() -> None:
    """Not where it merely comes by, and None where it never does."""
    marks = [100, 200, 400, 800, 1600]
    always = [[False, False, True, True, True]] * 20
    assert until_right(marks, always) == 400
    passing = [[False, True, False, True, True]] * 20
    assert until_right(marks, passing) == 800
    one_wrong_of_ten = [*[[True] * 5] * 9, [False] * 5]
    assert until_right(marks, one_wrong_of_ten) is None


def test_marks_grow_to_the_last() -> None:
    """From the first table on."""
    marks = marks_to(100, 4, growth=1.5)
    assert marks[0] == 4
    assert marks[-1] == 100
    assert all(a < b <= a * 1.5 + 1 for a, b in itertools.pairwise(marks))


def test_what_was_played_is_played_again_in_other_order() -> None:
    """Blocks and matches of the asked table, in new places; the right order is by mean rank."""
    field = Simulation((0.0, 2.0, 4.0, 6.0, 8.0), World(0.3), "pool")
    played = blocks_of(field, 3, 40)
    again = Replayed(played, "1")
    assert again.right_order == field.right_order
    block = Block(99, (4, 0, 2))
    results = again.block(block)
    assert [one.order for one in results] == [(99, 0), (99, 1), (99, 2)]
    assert set(results[0].entries) == {0, 2, 4}
    assert again.match(5, (1, 2, 3)).order == (5, 0)
    assert again.block(block) == Replayed(played, "1").block(block)
    drawn = {again.match(place, (1, 2, 3)).points for place in range(30)}
    assert len(drawn) > 3


def test_every_way_finds_an_order_that_is_plain() -> None:
    """Strengths far apart, a few hundred matches."""
    field = Simulation(field_of(5, 1.5, "plain"), World(0.3), "plain")
    marks = [4, 100, 400]
    learner = ByMatch(TrueSkillRater())
    for orders in (
        list(random_tables(field, 4, marks, "s")),
        list(our_blocks(field, 4, marks, "s", lambda: learner)),
    ):
        assert len(orders) == len(marks)
        assert orders[-1] == field.right_order
    waves = list(adaptive(field, 4, 1200, "s", 0.95))
    assert waves[-1].order == field.right_order
    assert waves[-1].clear
    assert not any(wave.wrong for wave in waves)


def test_a_run_tells_of_every_way_and_of_the_stop() -> None:
    """In a field far apart all ways are right at the end, and the adaptive one has stopped."""
    case = Case(4, 4, 1.5, 600)
    marks = marks_to(case.most, case.seats, growth=1.5)
    told = run(case, marks, 3)
    assert list(told.right) == ["a", "a'", "b", "c"]
    assert all(len(right) == len(marks) and right[-1] for right in told.right.values())
    assert told.stopped is not None
    assert told.stopped <= case.most
    assert not told.wrong
    assert run(case, marks, 3) == told


def test_variants_err_as_often_as_their_names_say_and_each_in_turns_of_its_own() -> None:
    """A variant without a number is the sample bot itself, and never errs."""
    info = MatchInfo("claims", game("claims").options(), 0, 2, 7, 20.0, 60.0, 600.0)
    rolls = []
    for name in ("greedy~10", "greedy~10~1"):
        bot: Any = variant(name, "claims")()
        bot.begin(info)
        rolls.append([bot.erring.random() < 0.1 for _ in range(1000)])
    assert rolls[0] != rolls[1]
    assert fmean(map(fmean, rolls)) == pytest.approx(0.1, abs=0.02)
    assert not hasattr(variant("greedy", "claims"), "erring")
