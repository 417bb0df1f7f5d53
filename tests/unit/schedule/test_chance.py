"""Choices come from the seed alone, and from all of it."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.chance import Chance


def test_the_stream_is_the_documented_one() -> None:
    """Worked out with sha256sum, so that no platform and no Python may change it."""
    chance = Chance(b"seed", "purpose")
    words = [chance.below(1 << 32) for _ in range(9)]
    assert b"".join(word.to_bytes(4, "big") for word in words).hex() == (
        "be072e7f3966f90c01eb9a28bde5248436b4eaab7e61eccd572f3a4369119ac3b2a2cb80"
    )


@given(st.binary(max_size=40), st.integers(1, 1 << 32))
def test_a_choice_is_below_its_bound(seed: bytes, bound: int) -> None:
    """And not below 0."""
    assert 0 <= Chance(seed, "test").below(bound) < bound


@given(st.binary(max_size=40), st.integers(0, 60))
def test_a_shuffle_keeps_everything(seed: bytes, count: int) -> None:
    """Each number once."""
    assert sorted(Chance(seed, "test").shuffled(count)) == list(range(count))


def test_all_orders_are_equally_likely() -> None:
    """Of three things, over 6,000 seeds."""
    orders = Counter(tuple(Chance(b"%d" % seed, "").shuffled(3)) for seed in range(6000))
    assert len(orders) == 6
    assert all(850 < often < 1150 for often in orders.values())


def test_purposes_and_seeds_do_not_run_into_each_other() -> None:
    """Moving text from one to the other makes another stream."""
    assert Chance(b"a|schedule|b", "c").below(1 << 32) != Chance(b"a", "b|schedule|c").below(
        1 << 32
    )
