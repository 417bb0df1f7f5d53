"""Adaptive tournaments of fields whose strengths are known."""

from collections import Counter

import pytest

from arena.rating import MatchResult, RatingError
from arena.schedule import Block
from arena.tournament.waves import Waves
from benches.fairness import Simulation, World, field_of

SEED = b"seed"
CARDS = World(luck=0.5, draws=0.02)


def play(
    waves: Waves, field: Simulation, *, holes: frozenset[int] = frozenset()
) -> list[tuple[Block, ...]]:
    """Play to the end, and give the waves; blocks that are holes have no results."""
    played = []
    while wave := waves.next():
        waves.add(wave, results(field, [block for block in wave if block.index not in holes]))
        played.append(tuple(wave))
    return played


def results(field: Simulation, blocks: list[Block]) -> list[MatchResult]:
    return [result for block in blocks for result in field.block(block)]


def waves(entries: int, size: int, *, most: int = 3000, confidence: float = 0.95) -> Waves:
    return Waves(entries, size, most=most, confidence=confidence, seed=SEED)


@pytest.mark.parametrize(("entries", "size"), [(2, 2), (5, 2), (6, 3), (6, 4), (8, 8)])
def test_it_ends_when_the_order_is_proven(entries: int, size: int) -> None:
    """And it is right."""
    field = Simulation(field_of(entries, 0.8, "a"), CARDS, "a")
    of = waves(entries, size)
    played = play(of, field)
    assert of.separation().clear
    assert of.separation().order == field.right_order
    assert sum(map(len, played)) < 1000


@pytest.mark.parametrize("size", [2, 4])
def test_equal_bots_use_up_the_blocks_and_stay_open(size: int) -> None:
    """While all others are separated, from each other and from them."""
    strengths = (1.6, 0.8, 0.8, 0.0)
    of = waves(4, size, most=800)
    played = play(of, Simulation(strengths, CARDS, "b"))
    assert sum(map(len, played)) == 800
    (still,) = of.separation().open
    assert {still.better, still.worse} == {1, 2}


@pytest.mark.parametrize("stop", [1, 2, 5])
def test_it_goes_on_the_same_when_it_is_taken_up_again(stop: int) -> None:
    """From its blocks and results so far, all at once."""
    field = Simulation(field_of(5, 0.5, "c"), CARDS, "c")
    straight = play(waves(5, 2), field)
    assert len(straight) > stop + 1
    past = [block for wave in straight[:stop] for block in wave]
    resumed = waves(5, 2)
    resumed.add(past, results(field, past))
    assert play(resumed, field) == straight[stop:]


def test_a_block_that_was_given_up_counts_for_nobody() -> None:
    """The tournament goes on without it, and its place in the schedule stays taken."""
    field = Simulation(field_of(4, 0.8, "d"), CARDS, "d")
    of = waves(4, 2)
    played = play(of, field, holes=frozenset({0, 7, 9}))
    assert of.separation().clear
    blocks = [block.index for wave in played for block in wave]
    assert blocks == list(range(len(blocks)))


@pytest.mark.parametrize("pair", [(0, 1), (2, 3)])
def test_a_pair_whose_blocks_are_all_given_up_gets_no_more_than_its_part(
    pair: tuple[int, int],
) -> None:
    """About a fifth, as of all five pairs of neighbours, who are in doubt for ever here."""
    field = Simulation((0.0,) * 6, CARDS, "f")
    of = waves(6, 2, most=400)
    tables: Counter[tuple[int, ...]] = Counter()
    while wave := of.next():
        of.add(wave, results(field, [block for block in wave if block.table != pair]))
        tables.update(block.table for block in wave)
    assert tables.total() == 400
    assert tables[pair] <= 400 / 4


def test_another_seed_draws_another_first_wave() -> None:
    one = Waves(8, 2, most=100, confidence=0.9, seed=b"one")
    other = Waves(8, 2, most=100, confidence=0.9, seed=b"other")
    assert one.next() != other.next()


def test_a_probability_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(RatingError, match=r"cannot be 1\.5"):
        waves(4, 2, confidence=1.5)


def test_most_blocks_go_to_those_who_are_hard_to_tell_apart() -> None:
    """Two are close, the others far apart."""
    field = Simulation((0.0, 1.5, 1.8, 3.3), CARDS, "e")
    played = play(waves(4, 2), field)
    tables = [block.table for wave in played for block in wave]
    assert tables.count((1, 2)) > len(tables) / 2


def test_few_of_many_tournaments_say_something_wrong() -> None:
    """At 80 %, of 40 fields at most a fifth, though asked after each wave; all equal here."""
    wrong = 0
    for run in range(40):
        of = Waves(4, 2, most=120, confidence=0.8, seed=bytes([run]))
        play(of, Simulation((0.0,) * 4, CARDS, str(run)))
        wrong += len(of.separation().open) < 3
    assert wrong <= 8


@pytest.mark.parametrize(("entries", "size"), [(5, 2), (6, 3), (6, 4)])
def test_who_is_withdrawn_sits_in_no_more_waves(entries: int, size: int) -> None:
    """The others are put in order all the same, and it is right for them."""
    field = Simulation(field_of(entries, 0.8, "a"), CARDS, "a")
    first = waves(entries, size).next()
    gone = field.right_order[1]
    of = Waves(entries, size, most=3000, confidence=0.95, seed=SEED, withdrawn=[gone])
    of.add(first, results(field, [block for block in first if gone not in block.order]))
    played = play(of, field)
    assert played
    assert not [block for wave in played for block in wave if gone in block.order]
    found = of.separation()
    assert found.clear
    assert found.order == tuple(entry for entry in field.right_order if entry != gone)
    assert len(found.neighbours) == entries - 2


def test_fewer_than_fill_a_table_play_no_more() -> None:
    """And that is the end, though their order isn't proven."""
    field = Simulation((0.0,) * 4, CARDS, "b")
    first = waves(4, 3).next()
    of = Waves(4, 3, most=3000, confidence=0.95, seed=SEED, withdrawn=[0, 3])
    of.add(first, results(field, list(first)))
    assert of.next() == ()
    assert not of.separation().clear


def test_one_that_is_left_is_in_order() -> None:
    """So is nobody."""
    for gone in ([0, 1], [0, 1, 2]):
        of = Waves(3, 2, most=30, confidence=0.95, seed=SEED, withdrawn=gone)
        of.add(waves(3, 2).next(), [])
        assert of.separation().clear
        assert len(of.separation().order) == 3 - len(gone)
        assert of.next() == ()
