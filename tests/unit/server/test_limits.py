"""How much a caller may ask for."""

from __future__ import annotations

import pytest

from arena.server.limits import Buckets, Open
from arena.server.refusals import Refused


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock of our own."""
    return Clock()


def test_a_burst_goes_through_and_then_the_average(clock: Clock) -> None:
    """What is refused costs nothing, and says after how long there is room."""
    buckets = Buckets(per_second=2, size=3, clock=clock)
    assert [buckets.take("ana") for _ in range(4)] == [0, 0, 0, 0.5]
    clock.now += 0.4
    assert buckets.take("ana") == pytest.approx(0.1)
    clock.now += 0.1
    assert buckets.take("ana") == 0


def test_nobody_pays_for_another(clock: Clock) -> None:
    """Each has a bucket of their own."""
    buckets = Buckets(per_second=1, size=1, clock=clock)
    assert buckets.take("ana") == 0
    assert buckets.take("ana") > 0
    assert buckets.take("bo") == 0


def test_a_bucket_never_holds_more_than_its_size(clock: Clock) -> None:
    """Whoever was away for long has one burst, not two."""
    buckets = Buckets(per_second=1, size=2, clock=clock)
    buckets.take("ana")
    clock.now += 3600
    assert [buckets.take("ana") > 0 for _ in range(3)] == [False, False, True]


def test_what_costs_more_than_a_bucket_holds_takes_a_full_one(clock: Clock) -> None:
    """Else it could never be done."""
    buckets = Buckets(per_second=1, size=2, clock=clock)
    assert buckets.take("ana", cost=10) == 0
    assert buckets.take("ana") == 1


def test_looking_takes_nothing(clock: Clock) -> None:
    """It says whether there is something to take."""
    buckets = Buckets(per_second=1, size=1, clock=clock)
    assert [buckets.empty("ana"), buckets.empty("ana")] == [0, 0]
    buckets.take("ana")
    assert buckets.empty("ana") == 1


def test_strangers_are_forgotten_not_gathered(clock: Clock) -> None:
    """Those who were heard of last are remembered."""
    buckets = Buckets(per_second=1, size=1, clock=clock)
    for number in range(10_001):
        buckets.take(f"peer {number}")
    assert buckets.take("peer 0") == 0
    assert buckets.take("peer 10000") > 0


def test_streams_are_counted_while_they_are_open() -> None:
    """One too many is refused until another one has ended, however it did."""
    streams = Open(2)
    with streams.one_more("ana"):
        with pytest.raises(KeyError), streams.one_more("ana"):
            with pytest.raises(Refused, match="2 streams"), streams.one_more("ana"):
                pass
            with streams.one_more("bo"):
                raise KeyError
        with streams.one_more("ana"):
            pass
    assert not streams._open
