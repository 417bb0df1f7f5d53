"""An interval holds the truth as often as it says, and says nothing where nothing can be said."""

import random
from statistics import fmean

import pytest

from arena.rating.intervals import FEWEST_BLOCKS, Interval, interval


def drawn(truth: float, blocks: int, size: int, seed: int) -> list[tuple[float, float]]:
    """Blocks of `size` matches of two whose outcomes hang together, as on equal deals."""
    chance = random.Random(seed)
    made = []
    for _ in range(blocks):
        # Of each block's matches a part is decided by one throw, the others by one each.
        first = chance.random() < truth
        won = sum(first if chance.random() < 0.3 else chance.random() < truth for _ in range(size))
        made.append((float(won), float(size)))
    return made


@pytest.mark.parametrize("truth", [0.5, 0.97])
@pytest.mark.parametrize(("blocks", "size"), [(6, 2), (12, 2), (12, 8), (80, 4)])
def test_it_holds_the_truth_at_least_nine_times_in_ten(
    truth: float, blocks: int, size: int
) -> None:
    """It says 95 %; 200 trials leave room for chance."""
    found = [interval(drawn(truth, blocks, size, seed)) for seed in range(200)]
    held = fmean(one is not None and one.low <= truth <= one.high for one in found)
    assert held > 0.9


@pytest.mark.parametrize(("blocks", "widest"), [(12, 0.42), (100, 0.13), (1000, 0.042)])
def test_it_gets_narrower_with_the_root_of_the_blocks(blocks: int, widest: float) -> None:
    """So it isn't right just by being wide."""
    found = [interval(drawn(0.5, blocks, 4, seed)) for seed in range(20)]
    assert fmean(one.high - one.low for one in found if one is not None) < widest


@pytest.mark.parametrize("blocks", range(FEWEST_BLOCKS))
def test_a_few_blocks_have_none(blocks: int) -> None:
    """Rather none than a wrong one."""
    assert interval(drawn(0.5, blocks, 4, 1)) is None


def test_whoever_has_won_everything_may_lose_yet() -> None:
    """The bootstrap alone would say 100 % to 100 %."""
    found = interval([(2.0, 2.0)] * 10)
    assert found is not None
    assert 0.7 < found.low < 0.9
    assert found.high == 1
    turned = interval([(0.0, 2.0)] * 10)
    assert turned is not None
    assert turned.low == 0
    assert 0.1 < turned.high < 0.3


def test_equal_blocks_have_equal_intervals() -> None:
    """To the last bit, however many others were worked out between them."""
    blocks = drawn(0.6, 40, 4, 7)
    first = interval(blocks)
    for size in range(6, 60):
        interval(drawn(0.6, size, 4, 7))
    assert interval(blocks) == first
    assert isinstance(first, Interval)
