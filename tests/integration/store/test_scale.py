"""Many results: what a ranking and a progress bar read stays quick."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median

import pytest

from arena.store import MatchKey, Store, TournamentState
from arena.store.testing import logs_of, make_tournament, new_result, replay_of


def _median(action: Callable[[], object], times: int = 3) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        action()
        taken.append(time.perf_counter() - began)
    return median(taken)


def _multiply_results(file: Path) -> None:
    """Give each match the result of the first one with its seating; by SQL, which is quick."""
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript("""
            INSERT INTO results SELECT m.tournament_id, m.block, m.rotation, reason, rounds, turns,
                replay, replay_digest, recorded_at, measured
                FROM matches m JOIN results r ON r.block = 0 AND r.rotation = m.rotation
                WHERE m.block > 0;
            INSERT INTO seats SELECT m.tournament_id, m.block, m.rotation, seat, entry, rank, total,
                faults, outcome, detail, charged_ms, peak_memory, log, luck
                FROM matches m JOIN seats s ON s.block = 0 AND s.rotation = m.rotation
                WHERE m.block > 0;
            """)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("blocks", [5_000, pytest.param(50_000, marks=pytest.mark.soak)])
def test_reading_many_results_stays_quick(tmp_path: Path, blocks: int) -> None:
    """Measured against the driver alone, which reads the same rows in the same run."""
    with Store.open(tmp_path) as store:
        began = time.perf_counter()
        cup = make_tournament(store, blocks=blocks)
        created = time.perf_counter() - began
        for match in store.matches(cup.id)[:2]:
            store.record_result(cup.id, new_result(match), replay_of(match), logs_of(match))
        _multiply_results(tmp_path / "arena.db")

        def driver_alone() -> None:
            with closing(sqlite3.connect(tmp_path / "arena.db")) as database:
                database.execute("SELECT * FROM results").fetchall()
                database.execute("SELECT * FROM seats").fetchall()

        assert store.progress(cup.id).done == 2 * blocks
        assert store.progress(cup.id).state is TournamentState.FINISHED
        assert len(store.results(cup.id)) == 2 * blocks
        last = f"m{blocks - 1}-1"
        half, around = MatchKey(blocks // 2, 0), (blocks // 2, blocks // 2 + 25)
        assert [m.id for m in store.pages.matches(cup.id, after=half, most=1)] == [
            f"m{blocks // 2}-1"
        ]
        floor = _median(driver_alone)
        took = {
            "results": _median(lambda: store.results(cup.id)),
            "pending_matches": _median(lambda: store.pending_matches(cup.id)),
            "progress": _median(lambda: store.progress(cup.id), 9),
            "result": _median(lambda: store.result(cup.id, last), 9),
            "is_released": _median(lambda: store.is_released(cup.id, last), 9),
            "page": _median(lambda: store.pages.matches(cup.id, after=half, most=50), 9),
            "page's results": _median(lambda: store.pages.results(cup.id, *around), 9),
        }
        print(f"medians in s: driver alone {floor:.2f}, create_tournament {created:.2f}, {took}")
        assert took["results"] < 25 * floor
        assert took["pending_matches"] < 25 * floor
        assert took["progress"] < floor
        assert took["result"] < floor
        assert took["is_released"] < floor
        assert took["page"] < floor
        assert took["page's results"] < floor
