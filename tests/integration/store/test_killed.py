"""Killed at any moment, a writer leaves all of what it wrote or nothing of it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.store import Store, StoredResult, TournamentState
from arena.store.testing import logs_of, make_tournament, new_result, replay_of

from .conftest import HERE, Writer, each_database

#: By what the kills are thinned out: a process for each costs a second.
share = pytest.mark.parametrize(
    "share", [pytest.param(3, id="third"), pytest.param(1, id="all", marks=pytest.mark.soak)]
)


@share
@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("action", "every", "at_least"),
    [
        ("record", 8, 60),
        ("spoil", 6, 15),
        ("create", 8, 15),
        ("add", 8, 30),
        ("receive", 8, 25),
        ("ready", 8, 25),
        ("make", 30, 12),
    ],
)
def test_whatever_line_a_process_dies_at_the_store_is_whole(
    tmp_path: Path, action: str, every: int, at_least: int, share: int
) -> None:
    """A SIGKILL at each step of an action: it happened or it didn't, and can be done again."""
    _check_kill_points(tmp_path, action, share * every, at_least // share)


@share
@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("action", "every", "at_least"), [("record", 20, 40), ("spoil", 12, 12), ("create", 16, 12)]
)
@pytest.mark.usefixtures("on_postgresql")
def test_so_it_is_where_the_database_is_a_server(
    tmp_path: Path, action: str, every: int, at_least: int, share: int
) -> None:
    """The server undoes what a process that died had begun, and lets go of its locks."""
    _check_kill_points(tmp_path, action, share * every, at_least // share)


def _check_kill_points(tmp_path: Path, action: str, every: int, at_least: int) -> None:
    program = [sys.executable, str(HERE / "kill_points.py"), str(tmp_path), action, str(every)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=390, check=False)
    assert done.returncode == 0, done.stderr
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    killed = [step for step in steps if step["killed"]]
    assert len(killed) >= at_least
    assert {step["found"] for step in killed} == {False, True}
    assert steps[-1] == {"killed": False, "where": "", "found": True}


def _facts(results: list[StoredResult]) -> list[StoredResult]:
    return [replace(result, recorded_at=datetime(2000, 1, 1, tzinfo=UTC)) for result in results]


@each_database
@pytest.mark.timeout(300)
def test_a_tournament_whose_player_is_killed_again_and_again_ends_as_if_it_were_not(
    tmp_path: Path, start_writer: Callable[[Path, str], Writer]
) -> None:
    """What was reported as recorded is there, nothing is there twice, and no file is left over."""
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    print(f"seed {seed}")
    folder = tmp_path / "store"
    with Store.open(folder) as store:
        cup = make_tournament(store, blocks=60)
    reported: list[str] = []
    kills = 0
    while True:
        with Store.open(folder) as store:
            progress = store.progress(cup.id)
            recorded = {result.match_id for result in store.results(cup.id)}
        assert len(reported) == len(set(reported))
        assert set(reported) <= recorded
        # At most one a kill: recorded, but killed before it could be reported.
        assert len(recorded) - len(reported) <= kills
        if progress.state is TournamentState.FINISHED:
            break
        writer = start_writer(folder, "cup")
        writer.go()
        if kills < 8:
            reported += writer.wait_for(chance.randrange(10))
            time.sleep(chance.uniform(0, 0.01))
            writer.kill()
            kills += 1
        reported += writer.recorded()
    assert kills >= 4
    with Store.open(folder) as store:
        undisturbed = make_tournament(store, "undisturbed", blocks=60)
        for match in store.pending_matches(undisturbed.id):
            store.record_result(undisturbed.id, new_result(match), replay_of(match), logs_of(match))
        assert _facts(store.results(cup.id)) == _facts(store.results(undisturbed.id))
        for result in store.results(cup.id):
            store.blob(result.replay)
        assert list((folder / "blobs" / "tmp").iterdir()) == []
