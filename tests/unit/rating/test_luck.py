"""Taking luck out leaves the truth where it was and makes it easier to see."""

import math
from dataclasses import replace
from statistics import fmean, stdev, variance

import pytest

from arena.rating.bouts import bouts
from arena.rating.luck import FEWEST_BLOCKS, gifts
from arena.rating.shares import beaten
from tests.unit.rating.fields import played, result


@pytest.mark.parametrize(
    ("strengths", "size", "blocks"),
    [((0.0, 0.0), 2, 30), ((1.2, 0.0), 2, 30), ((0.0, 0.4, 0.8, 3.0), 3, 40)],
)
def test_the_mean_stays_and_the_variance_falls(
    strengths: tuple[float, ...], size: int, blocks: int
) -> None:
    """Over 200 tournaments of single matches, for each entry, near equals and one far off."""
    plain: dict[int, list[float]] = {}
    fair: dict[int, list[float]] = {}
    for seed in range(200):
        found = beaten(bouts(played(strengths, blocks=blocks, size=size, seed=seed, whole=False)))
        for entry, one in found.items():
            if one.plain is not None and one.adjusted is not None:
                plain.setdefault(entry, []).append(one.plain.value)
                fair.setdefault(entry, []).append(one.adjusted.value)
    for entry, values in plain.items():
        moved = [after - before for before, after in zip(values, fair[entry], strict=True)]
        assert len(moved) == 200
        assert abs(fmean(moved)) < 4 * stdev(moved) / math.sqrt(len(moved))
    saved = [variance(fair[entry]) / variance(values) for entry, values in plain.items()]
    assert fmean(saved) < 0.85
    assert max(saved) < 1


def test_where_luck_decides_nothing_nothing_is_corrected() -> None:
    """The worth of luck is measured, not assumed."""
    others = played([0, 0], blocks=300, size=2, seed=9)
    results = [
        replace(one, luck=other.luck)
        for one, other in zip(played([0, 0], blocks=300, size=2, seed=3), others, strict=True)
    ]
    for one in beaten(bouts(results)).values():
        assert one.luck is not None
        assert abs(one.luck) < 0.01


def test_a_lucky_winner_has_the_luck_taken_out() -> None:
    """Three wins of four with good cards, where cards decide, is no better than one of four."""
    cards = [(1, -1), (1, -1), (1, -1), (-1, 1)] * 10
    ranks = [(1, 2) if mine > theirs else (2, 1) for mine, theirs in cards]
    found = beaten(bouts(result((at, 0), (0, 1), ranks[at], cards[at]) for at in range(len(cards))))
    first = found[0]
    assert first.plain is not None
    assert first.adjusted is not None
    assert first.luck is not None
    assert first.plain.value == 0.75
    assert first.luck > 0.15
    assert found[1].luck == pytest.approx(-first.luck)


def test_unknown_luck_is_unknown() -> None:
    """For whoever has played one such match; the others are still adjusted."""
    results = played([0.0] * 4, blocks=60, size=2, seed=5)
    old = results[0]
    found = beaten(bouts([replace(old, luck=None), *results[1:]]))
    for entry, one in found.items():
        assert (one.adjusted is None) == (one.luck is None) == (entry in old.entries)


def test_a_few_blocks_do_not_say_what_luck_is_worth() -> None:
    """So nothing is adjusted by a guess."""
    results = played([0.0] * 3, blocks=FEWEST_BLOCKS, size=3, seed=5)
    assert gifts(bouts(results)) is not None
    assert gifts(bouts(results[:-3])) is None
    unknown = [replace(one, luck=None) for one in results[:3]]
    assert gifts(bouts([*unknown, *results[3:]])) is None
