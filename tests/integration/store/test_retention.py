"""What is not to be kept goes, and nothing else does; on each kind of database."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.app.rankings import ranking
from arena.store import NotFound, Store, StoredResult, Tournament
from arena.store.records import NewSubmission
from arena.store.requests import Request
from arena.store.restore import restore
from arena.store.retention import Policy
from arena.store.testing import (
    logs_of,
    make_tournament,
    new_result,
    new_version,
    replay_of,
)

from .conftest import each_database

pytestmark = each_database

NOW = datetime.now(UTC)
LATER = NOW + timedelta(days=31)
ALL = Policy(replays=30, logs=30, rejected=30, audit=30, requests=30)


@pytest.fixture
def store(tmp_path: Path, database: str) -> Iterator[Store]:
    del database
    with Store.open(tmp_path / "store") as opened:
        yield opened


def _play(store: Store, cup: Tournament, count: int | None = None) -> list[StoredResult]:
    for match in store.pending_matches(cup.id)[:count]:
        store.record_result(cup.id, new_result(match), replay_of(match), logs_of(match))
    return store.results(cup.id)


def _there(store: Store) -> set[str]:
    return set(store._blobs.keys())


def _age(store: Store) -> None:
    """Let every blob have been put long ago."""
    for key in _there(store):
        os.utime(store._blobs.path(key), (0, 0))


def test_replays_and_logs_of_what_is_over_go_and_ratings_stay(store: Store) -> None:
    """Who asks for one is told that it was removed, and when; archives of bots stay."""
    cup = make_tournament(store)
    results = _play(store, cup)
    before = ranking.overview(store, "cup")
    _age(store)
    archives = {version.archive for version in store.versions()}
    assert store.retention.sweep(ALL, LATER, dry_run=True).blobs == len(_there(store) - archives)
    assert len(_there(store)) == 1 + 3 * 6
    swept = store.retention.sweep(ALL, LATER)
    assert swept.blobs == 3 * 6
    assert _there(store) == archives
    assert store.results(cup.id) == results
    assert ranking.overview(store, "cup") == before
    for key in (results[0].replay, results[0].seats[1].log or ""):
        with pytest.raises(NotFound, match=rf"^this was removed on {LATER:%Y-%m-%d}: the arena's "):
            store.blob(key)
    assert store.retention.sweep(ALL, LATER) == replace(swept, blobs=0)


def test_nothing_goes_that_is_young_or_to_be_kept_for_ever(store: Store) -> None:
    """A day before its time; and at any time, if the policy says nothing of it."""
    _play(store, make_tournament(store))
    _age(store)
    before = _there(store)
    assert store.retention.sweep(ALL, NOW + timedelta(days=29)).blobs == 0
    assert store.retention.sweep(Policy(), NOW + timedelta(days=9999)).blobs == 0
    assert _there(store) == before


def test_a_tournament_that_is_not_over_loses_nothing(store: Store) -> None:
    """Until it is: played to its end, or cancelled."""
    cup = make_tournament(store)
    _play(store, cup, 4)
    _age(store)
    before = _there(store)
    assert store.retention.sweep(ALL, LATER).blobs == 0
    assert _there(store) == before
    store.cancel(cup.id)
    assert store.retention.sweep(ALL, LATER).blobs == 4 * 3


def test_a_blob_that_something_else_needs_stays(store: Store) -> None:
    """Equal bytes are one blob, of a tournament that is over and of one that is not."""
    bots = [store.add_version(new_version(f"bot{i}"), b"archive") for i in range(2)]
    over, runs = make_tournament(store, "over", blocks=1), make_tournament(store, "runs", blocks=2)
    for cup in (over, runs):
        for match in store.pending_matches(cup.id)[:2]:
            store.record_result(
                cup.id, new_result(match), b"equal", {0: b"equal log", 1: b"archive"}
            )
    _age(store)
    assert store.retention.sweep(ALL, LATER).blobs == 0
    store.cancel(runs.id)
    assert store.retention.sweep(ALL, LATER).blobs == 2
    assert {store.blob(bot.archive) for bot in bots} == {b"archive"}
    with pytest.raises(NotFound, match="this was removed"):
        store.blob(store.results(over.id)[0].replay)


def test_what_is_kept_anew_is_there_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in a backup, though it was removed once."""
    over = make_tournament(store, "over", blocks=1)
    for match in store.pending_matches(over.id):
        store.record_result(over.id, new_result(match), b"equal")
    _age(store)
    assert store.retention.sweep(ALL, LATER).blobs == 1
    runs = make_tournament(store, "runs", blocks=2)
    match = store.pending_matches(runs.id)[0]
    store.record_result(runs.id, new_result(match), b"equal")
    assert store.blob(store.results(over.id)[0].replay) == b"equal"
    store.back_up(tmp_path / "one")
    assert store.retention.sweep(ALL, LATER).blobs == 0
    store.back_up(tmp_path / "two")
    monkeypatch.delenv("ARENA_DATABASE", raising=False)
    for name in ("one", "two"):
        restore(tmp_path / name, tmp_path / f"restored-{name}")
        with Store.open(tmp_path / f"restored-{name}") as restored:
            assert restored.blob(restored.results(runs.id)[0].replay) == b"equal"


def test_a_backup_without_what_was_removed_says_the_same(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is whole though blobs are missing, and whoever asks for them is told why."""
    cup = make_tournament(store)
    replay = _play(store, cup)[0].replay
    _age(store)
    store.retention.sweep(ALL, LATER)
    store.back_up(tmp_path / "file")
    monkeypatch.delenv("ARENA_DATABASE", raising=False)
    restore(tmp_path / "file", tmp_path / "restored")
    with Store.open(tmp_path / "restored") as restored:
        assert len(restored.results(cup.id)) == 6
        with pytest.raises(NotFound, match=f"removed on {LATER:%Y-%m-%d}"):
            restored.blob(replay)


def test_rejected_submissions_lose_their_archive_and_ready_ones_keep_it(store: Store) -> None:
    """What was said about them stays."""
    new = NewSubmission(bot="bad", author="ana", digest="ab" * 32)
    rejected = store.submissions.receive(new, b"bad archive")
    store.submissions.reject(rejected.id, "it does not start", log=b"a log")
    good = replace(new_version("good"), digest="cd" * 32)
    ready = store.submissions.receive(
        NewSubmission(bot="good", author="ana", digest=good.digest), b"good archive"
    )
    store.submissions.ready(ready.id, good, {}, log=b"another log")
    _age(store)
    assert store.retention.sweep(Policy(rejected=30), LATER).blobs == 2
    assert store.submissions.get(rejected.id).reason == "it does not start"
    assert store.blob(ready.archive) == b"good archive"
    with pytest.raises(NotFound, match="rejected archives are kept"):
        store.blob(rejected.archive)


def test_request_ids_are_forgotten_after_their_time(store: Store) -> None:
    """Not before; afterwards the same id is a new request."""
    cup = make_tournament(store)
    request = Request(author="ana", id="1", method="Cancel", fingerprint="x")
    store.cancel(cup.id, request)
    assert store.retention.sweep(ALL, NOW + timedelta(days=29)).requests == 0
    assert store.retention.sweep(ALL, LATER, dry_run=True).requests == 1
    assert store.retention.sweep(ALL, LATER).requests == 1
    assert store.retention.sweep(ALL, LATER).requests == 0


def test_what_writers_that_died_left_goes_once_nobody_can_mean_it(store: Store) -> None:
    """A blob that nothing names, a day old; a younger one may be recorded any moment."""
    store._keep([b"left behind"])
    assert store.retention.sweep(ALL, NOW).unnamed == 0
    _age(store)
    assert store.retention.sweep(ALL, NOW, dry_run=True).unnamed == 1
    assert store.retention.sweep(ALL, NOW).unnamed == 1
    assert _there(store) == set()


_SWEEPER = """
import os, signal, sys
from datetime import datetime
from pathlib import Path
from arena.store import Store
from arena.store.blobs import BlobFolder
from arena.store.retention import Policy

left = int(sys.argv[2])
unlink = Path.unlink

def doomed(path, *args, **kwargs):
    global left
    if path.parent.parent.name == "blobs":
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
    unlink(path, *args, **kwargs)

Path.unlink = doomed
with Store.open(Path(sys.argv[1])) as store:
    store.retention.sweep(Policy(replays=30, logs=30), datetime.fromisoformat(sys.argv[3]))
"""


@pytest.mark.parametrize("after", [0, 1, 5])
def test_a_sweep_that_is_killed_is_finished_by_the_next(store: Store, after: int) -> None:
    """Each blob is there, or is said to be removed, also in between."""
    cup = make_tournament(store)
    results = _play(store, cup)
    _age(store)
    command = [sys.executable, "-c", _SWEEPER, str(store.folder), str(after), LATER.isoformat()]
    assert subprocess.run(command, check=False).returncode == -9
    assert len(_there(store)) == 1 + 18 - after
    for result in results:
        try:
            assert store.blob(result.replay)
        except NotFound as gone:
            assert "this was removed on" in str(gone)  # noqa: PT017 - it may also be there
    assert store.retention.sweep(ALL, LATER).blobs == 18 - after
    assert len(_there(store)) == 1


def test_a_tournament_that_begins_while_it_sweeps_loses_nothing(store: Store) -> None:
    """Bytes that were put just now are fresh, whatever was decided about their blob before."""
    over = make_tournament(store, "over", blocks=1)
    for match in store.pending_matches(over.id):
        store.record_result(over.id, new_result(match), b"equal")
    _age(store)
    replay = store.results(over.id)[0].replay
    remove = store._blobs.remove

    def put_just_before(keys: set[str], *, fresh: float) -> int:
        if replay in keys:
            store._keep([b"equal"])
        return remove(keys, fresh=fresh)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store._blobs, "remove", put_just_before)
        assert store.retention.sweep(ALL, LATER).blobs == 0
    assert store.blob(replay) == b"equal"
