"""The kernel's counters: what is found in its files, and what a bot did not cause itself."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sandbox.counters import (
    FileCounter,
    Number,
    ThreadDelays,
    full_pressure,
    nanoseconds,
    not_its_own,
    throttled_v1,
    throttled_v2,
    usage_v2,
)
from arena.sandbox.meter import container_meter

V1_STAT = b"nr_periods 32\nnr_throttled 8\nthrottled_time 194358793\nnr_bursts 0\nburst_time 0\n"
V2_STAT = (
    b"usage_usec 534163\nuser_usec 521644\nsystem_usec 12519\nnr_periods 3\nnr_throttled 1\n"
    b"throttled_usec 2500\n"
)
PRESSURE = (
    b"some avg10=0.00 avg60=0.00 avg300=0.00 total=7000\n"
    b"full avg10=0.00 avg60=0.00 avg300=0.00 total=1500000\n"
)
#: The bot's threads, somebody else, nobody.
THREADS, OTHER, IDLE = (0, 1, 2), 3, 4


@pytest.mark.parametrize(
    ("number", "text", "value"),
    [
        (nanoseconds, b"2311272060\n", 2.31127206),
        (throttled_v1, V1_STAT, 0.194358793),
        (throttled_v2, V2_STAT, 0.0025),
        (usage_v2, V2_STAT, 0.534163),
        (full_pressure, PRESSURE, 1.5),
    ],
)
def test_numbers_are_found_in_the_kernels_files(number: Number, text: bytes, value: float) -> None:
    """In seconds, whatever the file counts in."""
    assert number(text) == pytest.approx(value)


def test_a_file_without_the_number_is_no_counter(tmp_path: Path) -> None:
    """Older kernels keep no full CPU pressure."""
    file = tmp_path / "cpu.pressure"
    file.write_bytes(PRESSURE.splitlines()[0])
    with pytest.raises(ValueError, match="not found"):
        FileCounter(file, full_pressure)


def test_a_counter_that_is_closed_stays_where_it_was(tmp_path: Path) -> None:
    """As the counters of a bot that has ended do."""
    file = tmp_path / "cpuacct.usage"
    file.write_bytes(b"1000000000\n")
    counter = FileCounter(file, nanoseconds)
    counter.close()
    file.write_bytes(b"2000000000\n")
    assert counter.read() == 1.0


def test_a_container_without_cpu_accounts_has_no_meter(tmp_path: Path) -> None:
    """Nor has a process that is in no container of this name."""
    assert container_meter(1, "nosuchcontainer", cgroups=tmp_path) is None


@given(
    st.lists(
        st.tuples(st.sampled_from([*THREADS, OTHER, IDLE]), st.sets(st.sampled_from(THREADS))),
        max_size=40,
    )
)
def test_no_more_counts_than_others_kept_threads_waiting(
    slices: list[tuple[int, set[int]]],
) -> None:
    """One CPU, in each slice of time one runs and some wait: own threads' running buys nothing."""
    ran, waited = dict.fromkeys(THREADS, 0.0), dict.fromkeys(THREADS, 0.0)
    by_others = 0.0
    for running, ready in slices:
        waiting = ready - {running} if running != IDLE else set()
        for thread in waiting:
            waited[thread] += 1
        by_others += len(waiting) * (running == OTHER)
        if running in ran:
            ran[running] += 1
    before = dict.fromkeys(THREADS, (5.0, 7.0))
    after = {thread: (5.0 + ran[thread], 7.0 + waited[thread]) for thread in THREADS}
    assert 0 <= not_its_own(before, after, sum(ran.values())) <= by_others


def test_one_thread_alone_is_credited_all_that_it_waited() -> None:
    """There is nobody else of the bot who could have kept it waiting."""
    assert not_its_own({1: (0, 0)}, {1: (0.02, 0.04)}, 0.02) == pytest.approx(0.04)


def test_a_crowd_of_threads_buys_no_more_than_four() -> None:
    """Sixty that mostly sleep, and each wait a little, are no reason to wait for the bot."""
    before = dict.fromkeys(range(60), (0.0, 0.0))
    after = dict.fromkeys(range(60), (0.001, 0.2))
    assert not_its_own(before, after, 0.06) <= 0.8


def test_a_thread_that_was_not_seen_before_is_not_credited() -> None:
    """It may have waited long before."""
    assert not_its_own({}, {1: (0.0, 1.0)}, 0.0) == 0


def test_a_thread_that_came_after_the_last_reading_is_seen_by_the_next() -> None:
    """Between two readings only the threads that are known are looked at."""
    listed = [str(os.getpid())]
    delays = ThreadDelays(lambda: list(listed))
    assert set(delays.read()) == {os.getpid()}
    go_on = threading.Event()
    thread = threading.Thread(target=go_on.wait)
    thread.start()
    try:
        listed.append(str(thread.native_id))
        assert set(delays.known()) == {os.getpid()}
        assert set(delays.read()) == set(delays.known()) == {os.getpid(), thread.native_id}
    finally:
        go_on.set()
        thread.join()
    listed.pop()
    assert set(delays.read()) == set(delays.known()) == {os.getpid()}
    delays.close()
    assert delays.known() == {}
