"""A backup is the store as of one moment, and restoring it gives all of that or nothing."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine, text

from arena.store import (
    NewPersonMatch,
    PersonResult,
    SeatedBot,
    Store,
    StoreDamaged,
    TournamentState,
)
from arena.store.backup import Manifest, TablePart, _new_file, digest_of_keys
from arena.store.errors import BackupFailed, StoreLocked, StoreNotEmpty
from arena.store.restore import check, restore
from arena.store.testing import (
    logs_of,
    make_tournament,
    new_result,
    new_version,
    replay_of,
)

from .conftest import Mount, each_database
from .old_stores import OLDER, REVISIONS

Use = Callable[[str], None]


@pytest.fixture
def use(postgres_url: URL, monkeypatch: pytest.MonkeyPatch) -> Use:
    """Chooses the kind of the database that stores have from now on; each in an empty one."""
    schemas = iter(range(100))

    def chosen(kind: str) -> None:
        monkeypatch.delenv("ARENA_DATABASE", raising=False)
        if kind == "postgresql":
            schema = f"{str(postgres_url.query['options']).rpartition('=')[2]}_{next(schemas)}"
            engine = create_engine(postgres_url)
            with engine.begin() as connection:
                connection.execute(text(f"CREATE SCHEMA {schema}"))
            engine.dispose()
            url = postgres_url.update_query_dict({"options": f"-csearch_path={schema}"})
            monkeypatch.setenv("ARENA_DATABASE", url.render_as_string(hide_password=False))

    return chosen


def _half_played(folder: Path) -> None:
    with Store.open(folder) as store:
        cup = make_tournament(store, blocks=4)
        for match in store.pending_matches(cup.id)[:3]:
            store.record_result(cup.id, new_result(match), replay_of(match), logs_of(match))
        store.record_void(
            cup.id, store.pending_matches(cup.id)[0].id, 1, reason="STALL", detail="a pause"
        )
        make_tournament(store, "growing", blocks=1, until_clear=0.9)
        bots = (None, SeatedBot("greedy", "1", "ab" * 32))
        store.people.want(NewPersonMatch("m1", "ana", "claims", {"target": 150}, 0, bots))
        result = PersonResult("target", 7, (12, 160), (1, 2), (0, 1), (None, "CRASHED"))
        store.people.end("m1", result, b"the replay of what ana played")


def _facts(folder: Path) -> object:
    """All that a store says of its tournaments and people, and the blobs that they name."""
    with Store.open(folder) as store:
        people = [
            (match, store.blob(match.replay or "")) for match in store.people.page("ana", size=9)
        ]
        return people, [
            (
                tournament,
                store.progress(tournament.id),
                store.matches(tournament.id),
                store.results(tournament.id),
                store.voids(tournament.id),
                [store.blob(result.replay) for result in store.results(tournament.id)],
                [
                    store.blob(seat.log)
                    for result in store.results(tournament.id)
                    for seat in result.seats
                    if seat.log
                ],
                [store.blob(entry.version.archive) for entry in tournament.entries],
            )
            for tournament in store.tournaments()
        ]


@pytest.mark.parametrize("into", ["sqlite", "postgresql"])
@pytest.mark.parametrize("of", ["sqlite", "postgresql"])
def test_what_is_restored_is_what_was_backed_up(
    tmp_path: Path, use: Use, of: str, into: str
) -> None:
    """Whatever kind of database each has; and new things get numbers of their own."""
    use(of)
    _half_played(tmp_path / "old")
    before = _facts(tmp_path / "old")
    with Store.open(tmp_path / "old") as store:
        store.back_up(tmp_path / "file")
        id_ = store.id
    use(into)
    manifest = restore(tmp_path / "file", tmp_path / "new")
    assert manifest.tables["results"].rows == 3
    assert _facts(tmp_path / "new") == before
    with Store.open(tmp_path / "new") as store:
        assert store.id != id_
        newest = max(tournament.id for tournament in store.tournaments())
        assert make_tournament(store, "another").id == newest + 1
        assert store.add_version(new_version("bot0", digest="ab" * 32), b"").number == 2
        cup = store.tournament("cup")
        for match in store.pending_matches(cup.id):
            store.record_result(cup.id, new_result(match), replay_of(match))
        assert store.progress(cup.id).state is TournamentState.FINISHED


@each_database
def test_a_backup_taken_while_results_come_in_is_of_one_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each result in it is whole, and they are the first ones in the order in which they came."""
    folder = tmp_path / "store"
    with Store.open(folder) as store:
        cup = make_tournament(store, blocks=100)
        order = store.pending_matches(cup.id)
        stop = threading.Event()

        def play() -> None:
            for match in order:
                store.record_result(cup.id, new_result(match), replay_of(match), logs_of(match))
                if stop.is_set():
                    break

        player = threading.Thread(target=play)
        player.start()
        held = []
        for number in range(5):
            store.back_up(tmp_path / f"file{number}")
            held.append(check(tmp_path / f"file{number}").tables["results"].rows)
        stop.set()
        player.join()
        recorded = store.progress(cup.id).done
    assert held == sorted(held)
    assert 0 < held[-1] <= recorded
    assert len(set(held)) > 1
    monkeypatch.delenv("ARENA_DATABASE", raising=False)
    restore(tmp_path / "file4", tmp_path / "new")
    with Store.open(tmp_path / "new") as store:
        results = store.results(cup.id)
        assert [r.match_id for r in results] == [match.id for match in order[: held[-1]]]
        assert all(store.blob(result.replay) for result in results)
        assert all(len(result.seats) == 2 for result in results)


def test_the_file_is_for_its_owner_alone_and_never_takes_anothers_place(tmp_path: Path) -> None:
    """It holds secret seeds; and nothing else is left beside it."""
    with Store.open(tmp_path / "store") as store:
        store.back_up(tmp_path / "file")
        assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600
        before = (tmp_path / "file").read_bytes()
        with pytest.raises(BackupFailed, match=r"file is there already: choose another name"):
            store.back_up(tmp_path / "file")
        with pytest.raises(BackupFailed, match=r"can't be written: No such file or directory"):
            store.back_up(tmp_path / "none" / "file")
    assert (tmp_path / "file").read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"store", "file"}


def test_a_store_that_lost_a_blob_is_not_backed_up_as_if_it_were_whole(tmp_path: Path) -> None:
    """It is said which one, and no file is left."""
    with Store.open(tmp_path / "store") as store:
        cup = make_tournament(store)
        match = store.pending_matches(cup.id)[0]
        store.record_result(cup.id, new_result(match), replay_of(match))
        replay = store._blobs.path(store.result(cup.id, match.id).replay)
        replay.write_bytes(b"something else")
        with pytest.raises(StoreDamaged, match=replay.name):
            store.back_up(tmp_path / "file")
    assert {path.name for path in tmp_path.iterdir()} == {"store"}


def test_a_full_disk_leaves_no_half_backup(tmp_path: Path, mount_tmpfs: Mount) -> None:
    """One line names the backup, not the store, and what is full is said."""
    with Store.open(tmp_path / "store") as store, mount_tmpfs(tmp_path / "disk", "size=64k"):
        store.add_version(new_version(), os.urandom(1 << 20))
        line = rf"^the backup {tmp_path}/disk/file can't be written: No space left on device$"
        with pytest.raises(BackupFailed, match=line):
            store.back_up(tmp_path / "disk" / "file")
        assert list((tmp_path / "disk").iterdir()) == []


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of a store on SQLite."""
    _half_played(tmp_path / "old")
    with Store.open(tmp_path / "old") as store:
        store.back_up(tmp_path / "file")
    return tmp_path / "file"


def test_a_file_that_was_cut_off_anywhere_is_refused(tmp_path: Path, backup: Path) -> None:
    """In one line; nothing was put into the store, and the whole file can be restored there."""
    whole = backup.read_bytes()
    part = tmp_path / "part"
    for length in [0, 3, 4, 20, *range(100, len(whole) - 600, len(whole) // 20)]:
        part.write_bytes(whole[:length])
        with pytest.raises(BackupFailed, match=r"is damaged or was cut off|is no backup") as raised:
            restore(part, tmp_path / "new")
        assert str(raised.value).isprintable()
    restore(backup, tmp_path / "new")


def test_a_file_in_which_a_bit_was_turned_is_refused(tmp_path: Path, backup: Path) -> None:
    """Wherever it is: or all that is restored is as it was."""
    whole = bytearray(backup.read_bytes())
    part = tmp_path / "part"
    refused = 0
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        whole[at] ^= 0x10
        part.write_bytes(whole)
        whole[at] ^= 0x10
        try:
            check(part)
        except BackupFailed as error:
            refused += 1
            assert str(error).isprintable()  # noqa: PT017 - it may also not be raised
    assert refused >= 58  # one in the closing zeros of the tar file does no harm


def _forged(path: Path, members: dict[str, bytes], manifest: Manifest | None) -> Path:
    with _new_file(path) as archive:
        for name, data in members.items():
            archive.add(name, data)
        if manifest:
            archive.add("manifest.json", manifest.written())
    return path


def _manifest_of(tables: dict[str, bytes], blobs: list[bytes], revision: str) -> Manifest:
    keys = {hashlib.sha256(blob).hexdigest() for blob in blobs}
    parts = {
        name: TablePart(data.count(b"\n"), hashlib.sha256(data).hexdigest())
        for name, data in tables.items()
    }
    size = sum(map(len, blobs))
    return Manifest(
        revision, "2026-01-01T00:00:00+00:00", parts, len(keys), size, digest_of_keys(keys)
    )


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    """A text, a folder, nothing, another program's archive, one without its blobs."""
    (tmp_path / "text").write_text("Dear diary")
    for name in ("text", "none", "."):
        with pytest.raises(BackupFailed, match=r"is no backup of an arena|can't be read: "):
            restore(tmp_path / name, tmp_path / "new")
    other = _forged(tmp_path / "other", {"readme": b"hello"}, None)
    with pytest.raises(BackupFailed, match="is no backup of an arena: name a file that `arena ba"):
        restore(other, tmp_path / "new")
    row = {"bots": b'{"id":1,"name":"a","author":"b"}\n'}
    told = _manifest_of(row, [b"blob"], "0005")
    short = _forged(tmp_path / "short", {"tables/bots/0.jsonl": row["bots"]}, told)
    with pytest.raises(BackupFailed, match="what it holds is not what it says"):
        restore(short, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_backup_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    """With what to do about it."""
    newer = _forged(tmp_path / "newer", {}, _manifest_of({}, [], "9999"))
    with pytest.raises(BackupFailed, match=r"newer version .* step 9999, ours at .*: upgrade the"):
        restore(newer, tmp_path / "new")


@pytest.mark.parametrize("step", REVISIONS)
@pytest.mark.parametrize("into", ["sqlite", "postgresql"])
def test_a_backup_of_older_tables_is_brought_up_to_date(
    tmp_path: Path, use: Use, into: str, step: str
) -> None:
    """Rows as each older program wrote them."""
    use(into)
    written = json.loads((OLDER / f"{step}.json").read_text())
    blobs = [blob.encode() for blob in written["blobs"]]
    tables = {}
    for name, rows in written["tables"].items():
        if name != "store":
            tables[name] = "".join(f"{json.dumps(_unwrapped(row))}\n" for row in rows).encode()
    members = {f"tables/{name}/0.jsonl": data for name, data in tables.items()}
    members |= {f"blobs/{hashlib.sha256(blob).hexdigest()}": blob for blob in blobs}
    file = _forged(tmp_path / "file", members, _manifest_of(tables, blobs, step))
    restore(file, tmp_path / "new")
    with Store.open(tmp_path / "new") as store:
        cup = store.tournament("cup")
        assert [result.match_id for result in store.results(cup.id)] == ["m0-0", "m0-1"]
        assert all(store.blob(result.replay) for result in store.results(cup.id))
        for match in store.pending_matches(cup.id):
            store.record_result(cup.id, new_result(match), replay_of(match))
        assert store.progress(cup.id).state is TournamentState.FINISHED


def _unwrapped(row: dict[str, object]) -> dict[str, object]:
    """With JSON in place of texts that hold JSON, and times that say that they are UTC."""
    found: dict[str, object] = {}
    for name, value in row.items():
        found[name] = value
        if isinstance(value, str) and value[:1] in {"{", "["}:
            found[name] = json.loads(value)
        elif isinstance(value, str) and value.startswith("2026-"):
            found[name] = f"{value}+00:00"
    return found


@each_database
def test_a_store_that_holds_anything_is_left_as_it_is(tmp_path: Path) -> None:
    """One bot is enough."""
    with Store.open(tmp_path / "store") as store:
        store.add_version(new_version(), b"archive")
        store.back_up(tmp_path / "file")
    with pytest.raises(StoreNotEmpty, match=r"holds something already \(bots\): set ARENA_HOME"):
        restore(tmp_path / "file", tmp_path / "store")
    with Store.open(tmp_path / "store") as store:
        assert store.bots() == ["greedy"]


def test_a_store_that_somebody_has_open_is_not_restored_into(tmp_path: Path, backup: Path) -> None:
    """Its tables are made anew."""
    with (
        Store.open(tmp_path / "new"),
        pytest.raises(StoreLocked, match="is open in another process: stop that one first"),
    ):
        restore(backup, tmp_path / "new", busy_timeout=0.2)
    restore(backup, tmp_path / "new")
