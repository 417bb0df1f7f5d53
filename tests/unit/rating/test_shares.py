"""The share of opponents beaten is what a person would count, and says how sure it is."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.bouts import Meetings, bouts
from arena.rating.shares import Beaten, beaten
from tests.unit.rating.fields import played, result


def test_it_is_what_a_person_counts() -> None:
    """First of three: two beaten; tied second: half of one; so 2.5 of 4 for the first entry."""
    found = beaten(
        bouts([result((0, 0), (0, 1, 2), (1, 2, 3)), result((1, 0), (2, 1, 0), (1, 2, 2))])
    )
    plain = [one.plain.value for one in found.values() if one.plain is not None]
    assert plain == [2.5 / 4, 1.5 / 4, 2 / 4]
    assert [(one.blocks, one.met) for one in found.values()] == [(2, 4)] * 3


def test_an_entry_that_met_nobody_has_no_share() -> None:
    """It isn't 0 or a half."""
    assert beaten(Meetings(), entries=[3]) == {3: Beaten(0, 0, None, None)}


def test_a_few_blocks_give_a_share_and_no_interval() -> None:
    """The count is a fact; how sure it is can't be said."""
    found = beaten(bouts(played([0.0] * 4, blocks=5, size=4, seed=1)))
    for one in found.values():
        assert one.plain is not None
        assert one.plain.interval is None


def test_the_stronger_has_the_larger_share_and_intervals_tell_them_apart() -> None:
    """A hundred blocks of four."""
    found = beaten(bouts(played([0.0, 1.0, 2.0, 3.0], blocks=100, size=4, seed=2)))
    limits = [
        (one.plain.interval.low, one.plain.value, one.plain.interval.high)
        for _, one in sorted(found.items())
        if one.plain is not None and one.plain.interval is not None
    ]
    assert len(limits) == 4
    flat = [limit for three in limits for limit in three]
    assert flat == sorted(flat)


@settings(deadline=None, max_examples=10)
@given(st.integers(2, 5), st.integers(0, 1000))
def test_all_shares_together_are_a_half(size: int, seed: int) -> None:
    """Weighed by meetings, plain or adjusted, in any order of arrival."""
    results = played([0.0, 0.5, 1.0, 1.5, 2.0], blocks=35, size=size, seed=seed, whole=False)
    found = beaten(bouts(results))
    for kind in ("plain", "adjusted"):
        shares = [(getattr(one, kind).value, one.met) for one in found.values()]
        assert sum(value * met for value, met in shares) == pytest.approx(
            sum(met for _, met in shares) / 2
        )
    random.Random(seed).shuffle(results)
    assert beaten(bouts(results)) == found
