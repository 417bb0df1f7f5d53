"""Thousands of matches of mixed bots: every replay holds, by two judges who share no code."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context

import pytest

from tests.soak.mixed import STRONG, TABLES, Table, Tally, play_and_check

MATCHES = 1000
#: So many are played at a time by one of so many processes.
CHUNK = 20
PROCESSES = 2

every_table = pytest.mark.parametrize("table", TABLES, ids=str)


@every_table
def test_a_few_matches_hold(table: Table) -> None:
    """One with the usual options and one with others."""
    assert play_and_check(table, range(2)).matches == 2


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    """Processes to play in."""
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.mark.soak
@pytest.mark.timeout(0)
@every_table
def test_a_thousand_matches_hold(
    table: Table, pool: ProcessPoolExecutor, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half with the usual options, and every kind of bot has played many of them."""
    began = time.monotonic()
    chunks = [range(start, start + CHUNK) for start in range(0, MATCHES, CHUNK)]
    total = sum(pool.map(play_and_check, repeat(table), chunks), Tally())
    with capsys.disabled():
        print(f"\n{table}: {total}; {time.monotonic() - began:.0f} s in all", flush=True)
    assert total.matches == MATCHES
    assert total.out > 0
    for name in ("random", "greedy", STRONG[table.game], "careless"):
        assert total.seats[name] > MATCHES * table.seats / 5
