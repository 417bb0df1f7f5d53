"""Results are taken apart by pairs and blocks, and nothing is lost."""

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.bouts import Bout, bouts
from tests.unit.rating.fields import played, result


def test_matches_of_a_block_are_one_bout() -> None:
    """A tie is half; the lower number comes first, whoever sat where."""
    found = bouts(
        [
            result((0, 0), (4, 2), (1, 2), (0.5, 0.25)),
            result((0, 1), (2, 4), (1, 1), (0.5, 0.25)),
            result((1, 0), (2, 4), (1, 2), (3, 1)),
        ]
    )
    assert found == {(2, 4): [Bout(0, 2, 0.5, 0.0), Bout(1, 1, 1.0, 2.0)]}


def test_blocks_of_different_tournaments_are_different() -> None:
    """A place in the schedule may have more parts; all but the last name the block."""
    found = bouts([result((0, 0, 0), (0, 1), (1, 2)), result((1, 0, 0), (0, 1), (1, 2))])
    assert [bout.block for bout in found[0, 1]] == [0, 1]


def test_luck_that_one_match_of_a_block_does_not_tell_is_not_known() -> None:
    """It is no 0."""
    (one,) = bouts(
        [result((0, 0), (0, 1), (1, 2), (1, 0)), result((0, 1), (1, 0), (1, 2))]
    ).values()
    assert one == [Bout(0, 2, 1.0, None)]


def test_equal_deals_leave_no_luck_at_all() -> None:
    """Not a trace of it either, which a regression would take for something."""
    cards = (0.1, 0.7, -0.3)
    seatings = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    found = bouts(
        result((0, rotation), seats, (1, 2, 3), cards) for rotation, seats in enumerate(seatings)
    )
    assert [bout.luck for (bout,) in found.values()] == [0, 0, 0]


@settings(deadline=None, max_examples=20)
@given(st.randoms(use_true_random=False), st.integers(2, 6))
def test_every_meeting_is_in_one_bout(chance: object, size: int) -> None:
    """Whatever the order of arrival: n(n-1)/2 meetings a match, half of all wins in sum."""
    results = played([0.0] * 7, blocks=9, size=size, seed=size)
    found = bouts(results)
    assert sum(bout.met for pair in found.values() for bout in pair) == (
        len(results) * size * (size - 1) // 2
    )
    chance.shuffle(results)  # type: ignore[attr-defined]
    assert bouts(results) == found
    assert list(bouts(results)) == sorted(found)
