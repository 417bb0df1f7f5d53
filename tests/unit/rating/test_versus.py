"""Head to head: chances that can be counted by hand, and stars that are rarely wrong."""

import random
from statistics import fmean

import pytest

from arena.rating.bouts import Bout, bouts
from arena.rating.versus import EXACT_BLOCKS, head_to_head
from tests.unit.rating.fields import played, result


def pair(*won: float, met: int = 2) -> list[Bout]:
    """The bouts of two entries that met so often in each block."""
    return [Bout(at, met, mine, None) for at, mine in enumerate(won)]


@pytest.mark.parametrize(
    ("won", "chance", "p"),
    [
        ((), 0.5, 1),
        ((1,), 0.5, 1),  # a tie says nothing
        ((2,), 0.75, 1),  # of two ways one is worse, one as good
        ((2, 2), 0.875, 0.5),
        ((2, 2, 2, 2), 1 - 1 / 32, 1 / 8),
        ((2, 2, 0), 1 - 1 / 8 - 3 / 16, 1),
        ((0, 0, 0), 1 / 16, 1 / 4),
        # Leads of 2, 2 and 1: of eight ways none is better and one is as good.
        ((2, 2, 1.5), 1 - 1 / 16, 1 / 4),
    ],
)
def test_the_chance_can_be_counted_by_hand(won: tuple[float, ...], chance: float, p: float) -> None:
    """All ways to turn blocks round, as many better as there are."""
    (found,) = head_to_head({(0, 1): pair(*won)})
    assert found.chance == pytest.approx(chance)
    assert found.p == pytest.approx(p)
    assert found.p_of_all == found.p


def test_of_many_blocks_the_normal_approximation_says_the_same() -> None:
    """Just above the bound and just below it, by a hundredth."""
    chance = random.Random(3)
    won = [chance.choice([0, 0.5, 1, 1, 1.5, 2, 2]) for _ in range(EXACT_BLOCKS * 2)]
    while sum(mine != 1 for mine in won) > EXACT_BLOCKS:
        won.pop()
    (exact,) = head_to_head({(0, 1): pair(*won)})
    (normal,) = head_to_head({(0, 1): pair(*won, 2, 0)})
    assert normal.chance == pytest.approx(exact.chance, abs=0.01)
    assert normal.p == pytest.approx(exact.p, abs=0.02)


def test_either_side_sees_the_same() -> None:
    """Asked for one entry, it stands first."""
    pairs = {(0, 1): pair(2, 2, 0), (1, 2): pair(2, 1, 1), (0, 2): pair(1, 1)}
    both = head_to_head(pairs)
    assert [(one.one, one.other) for one in both] == [(0, 1), (1, 2), (0, 2)]
    seen = head_to_head(pairs, entry=1)
    assert [(one.one, one.other) for one in seen] == [(1, 0), (1, 2)]
    assert (seen[0].won, seen[0].chance) == (6 - both[0].won, 1 - both[0].chance)
    assert seen[0].p == both[0].p


def test_more_pairs_take_more_proof() -> None:
    """Holm: the smallest p times 3, the next times 2, and never less than the one before."""
    pairs = {
        (0, 1): pair(*[2] * 8),
        (0, 2): pair(*[2] * 6, met=2),
        (1, 2): pair(*[2] * 6, 0, 0),
    }
    found = head_to_head(pairs)
    p = [one.p for one in found]
    assert p[:2] == [2 / 2**8, 2 / 2**6]
    assert [one.p_of_all for one in found] == pytest.approx([3 * p[0], 2 * p[1], p[2]])


@pytest.mark.parametrize(("size", "blocks"), [(2, 60), (3, 25), (5, 12)])
def test_equals_rarely_get_a_star(size: int, blocks: int) -> None:
    """In at most 5 % of tables, by 300 trials; and a block's matches count as one."""
    tables = [
        head_to_head(bouts(played([0.0] * 5, blocks=blocks, size=size, seed=seed)))
        for seed in range(300)
    ]
    assert fmean(any(one.p_of_all < 0.05 for one in table) for table in tables) < 0.08


def test_chances_come_true() -> None:
    """Of those between equals that say 90 % or more for either, one in five at most does so."""
    chances = [
        one.chance
        for seed in range(60)
        for one in head_to_head(bouts(played([0.0] * 5, blocks=40, size=3, seed=seed)))
    ]
    assert fmean(abs(chance - 0.5) >= 0.4 for chance in chances) < 0.25
    assert fmean(chances) == pytest.approx(0.5, abs=0.05)


def test_what_differs_gets_its_star() -> None:
    """A gap as large as the deal's spread shows, however many pairs there are."""
    found = head_to_head(bouts(played([0.0, 1.0, 2.0, 3.0], blocks=80, size=3, seed=4)))
    assert all(one.p_of_all < 0.05 and one.chance < 0.01 for one in found)


def test_a_pair_that_has_not_met_is_not_in_the_table() -> None:
    """There is nothing to say of it."""
    found = head_to_head(bouts([result((0, 0), (0, 1), (1, 2)), result((1, 0), (2, 3), (1, 2))]))
    assert [(one.one, one.other) for one in found] == [(0, 1), (2, 3)]
