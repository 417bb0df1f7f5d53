"""Run as a program: kill a process at each step of an action on a store, and look what is left.

    kill_points.py FOLDER ACTION EVERY

A step is a line of the store's own code: each that is run where files are written and transactions
begin and end, elsewhere every EVERYth that is run for the first time. For each step a fresh process
begins the action and kills itself with SIGKILL there; a second process then checks that the action
has happened whole or not at all, and completes it. Prints a line of JSON for each step.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import alembic.command  # noqa: F401 - so that the forked processes need not import it

import arena.store
from arena.store import (
    AlreadyDone,
    MatchStatus,
    NewSubmission,
    NotFound,
    Recorded,
    Request,
    Store,
    SubmissionState,
)
from arena.store.schema import Base
from arena.store.testing import (
    make_tournament,
    new_matches,
    new_result,
    new_tournament,
    new_version,
    replay_of,
)

CODE = Path(arena.store.__file__).parent
CRITICAL = {"blobs.py", "database.py", "postgresql.py", "sqlite.py"}
MATCHES = new_matches(400)
ARCHIVE = b"an archive" * 100
LOGS = {1: b"a log"}


class Killer:
    """Kills this process when it comes to the `point`th step of an action."""

    def __init__(self, point: int, every: int) -> None:
        self._left = point
        self._every = every
        self._seen: set[tuple[Path, int]] = set()

    def __call__(self, frame: FrameType, event: str, _value: Any) -> Killer | None:
        file = Path(frame.f_code.co_filename)
        if CODE not in file.parents or frame.f_code.co_name.startswith("<"):
            return None  # not ours, or a comprehension
        if event == "line" and self._is_step(file, frame.f_lineno):
            self._left -= 1
            if self._left == 0:
                os.write(3, f"{file.name}:{frame.f_code.co_name}".encode())
                os.kill(os.getpid(), signal.SIGKILL)
        return self

    def _is_step(self, file: Path, line: int) -> bool:
        if file.name in CRITICAL:
            return True
        is_new = (file, line) not in self._seen
        self._seen.add((file, line))
        return is_new and len(self._seen) % self._every == 0


def record(folder: Path, point: int) -> Callable[[], object]:
    """Record a result, another match's for each point."""
    store, match = Store.open(folder / "store"), MATCHES[point]
    cup = store.tournament("cup").id
    return lambda: store.record_result(cup, new_result(match), replay_of(match), LOGS)


def check_record(folder: Path, point: int) -> bool:
    """The result is there with all its parts, or the match is pending; then it is recorded."""
    with Store.open(folder / "store") as store:
        cup, match = store.tournament("cup").id, MATCHES[point]
        done = store.match(cup, match.id).status is MatchStatus.DONE
        if done:
            _check_whole(store, cup, point)
        again = store.record_result(cup, new_result(match), replay_of(match), LOGS)
        assert (again is Recorded.ALREADY_THERE) == done
        _check_whole(store, cup, point)
    return done


def _check_whole(store: Store, cup: int, point: int) -> None:
    match = MATCHES[point]
    result = store.result(cup, match.id)
    assert store.blob(result.replay) == replay_of(match)
    logs = {seat.seat: store.blob(seat.log) for seat in result.seats if seat.log is not None}
    assert logs == LOGS


def spoil(folder: Path, point: int) -> Callable[[], object]:
    """Record the third void of a match."""
    store, match = Store.open(folder / "store"), MATCHES[point]
    cup = store.tournament("cup").id
    for attempt in (1, 2):
        store.record_void(cup, match.id, attempt, reason="STALL", detail="")
    return lambda: store.record_void(cup, match.id, 3, reason="STALL", detail="")


def check_spoil(folder: Path, point: int) -> bool:
    """The match is a hole, or pending with two voids; then it is a hole."""
    with Store.open(folder / "store") as store:
        cup, match = store.tournament("cup").id, MATCHES[point].id
        stored = store.match(cup, match)
        assert (stored.status, stored.attempts) in {(MatchStatus.PENDING, 2), (MatchStatus.HOLE, 3)}
        store.record_void(cup, match, 3, reason="STALL", detail="")
        assert store.match(cup, match).status is MatchStatus.HOLE
    return stored.status is MatchStatus.HOLE


def create(folder: Path, point: int) -> Callable[[], object]:
    """Set up a tournament."""
    store = Store.open(folder / "store")
    new, bots = new_tournament(f"cup{point}"), store.versions()[:2]
    return lambda: store.create_tournament(new, bots, new_matches())


def check_create(folder: Path, point: int) -> bool:
    """It is there with entries and schedule, or not there; then it is there."""
    with Store.open(folder / "store") as store:
        bots, matches = store.versions()[:2], new_matches()
        try:
            made, found = store.tournament(f"cup{point}"), True
        except NotFound:
            made, found = (
                store.create_tournament(new_tournament(f"cup{point}"), bots, matches),
                False,
            )
        assert [entry.version for entry in made.entries] == bots
        assert [match.id for match in store.matches(made.id)] == [match.id for match in matches]
    return found


def add(folder: Path, point: int) -> Callable[[], object]:
    """Hand in a bot."""
    store = Store.open(folder / "store")
    return lambda: store.add_version(new_version(f"new{point}"), ARCHIVE)


def check_add(folder: Path, point: int) -> bool:
    """It is there with its archive, or not there; then it is there."""
    with Store.open(folder / "store") as store:
        found = f"new{point}" in store.bots()
        version = store.add_version(new_version(f"new{point}"), ARCHIVE)
        assert version.number == 1
        assert store.blob(version.archive) == ARCHIVE
    return found


def _submission(point: int) -> tuple[NewSubmission, Request]:
    new = new_version(f"sent{point}")
    return NewSubmission(new.bot, new.author, new.digest), Request("ana", str(point), "m", "f")


def receive(folder: Path, point: int) -> Callable[[], object]:
    """Send a bot."""
    store, (new, request) = Store.open(folder / "store"), _submission(point)
    return lambda: store.submissions.receive(new, ARCHIVE, request=request)


def check_receive(folder: Path, point: int) -> bool:
    """Submission, name and request are there or none of them; then they are there, once."""
    with Store.open(folder / "store") as store:
        new, request = _submission(point)
        asked = store.submissions.asked(request)
        assert (asked is None) == (store.roster.owner(new.bot) is None)
        try:
            kept = store.submissions.receive(new, ARCHIVE, request=request)
        except AlreadyDone as done:
            kept = store.submissions.get(done.target)
        assert asked in {None, kept}
        assert kept.state is SubmissionState.RECEIVED
        assert store.blob(kept.archive) == ARCHIVE
        assert [one.bot for one in store.submissions.unfinished()].count(new.bot) == 1
    return asked is not None


def ready(folder: Path, point: int) -> Callable[[], object]:
    """Make a submission a version."""
    store, (new, _) = Store.open(folder / "store"), _submission(point)
    kept = store.submissions.receive(new, ARCHIVE)
    return lambda: store.submissions.ready(kept.id, new_version(new.bot), {"sdk": "1"}, log=b"log")


def check_ready(folder: Path, point: int) -> bool:
    """It is ready and there is a version, or neither; then both are so."""
    with Store.open(folder / "store") as store:
        new, _ = _submission(point)
        kept = store.submissions.receive(new, ARCHIVE)
        found = kept.state is SubmissionState.READY
        assert found == (new.bot in store.bots())
        done = store.submissions.ready(kept.id, new_version(new.bot), {"sdk": "1"}, log=b"log")
        (version,) = store.versions(new.bot)
        assert (done.version, version.number, version.archive) == (1, 1, kept.archive)
        assert done.log is not None
        assert store.blob(done.log) == b"log"
        assert store.blob(version.archive) == ARCHIVE
    return found


def make(folder: Path, point: int) -> Callable[[], object]:
    """Make a store."""
    return lambda: Store.open(folder / f"store{point}")


def check_make(folder: Path, point: int) -> bool:
    """All tables are there or none; then opening it makes a store that works."""
    file = folder / f"store{point}" / "arena.db"
    found = 0
    if file.exists():
        with closing(sqlite3.connect(file)) as database:
            query = "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
            found = database.execute(query).fetchone()[0]
    assert found in {0, 1 + len(Base.metadata.tables)}
    with Store.open(folder / f"store{point}") as store:
        make_tournament(store)
        assert len(store.id) == 32
    return found > 0


ACTIONS = {
    "record": (record, check_record),
    "spoil": (spoil, check_spoil),
    "create": (create, check_create),
    "add": (add, check_add),
    "receive": (receive, check_receive),
    "ready": (ready, check_ready),
    "make": (make, check_make),
}


def in_child(body: Callable[[], object]) -> tuple[int, str]:
    """Run `body` in a process of its own; returns how that ended and what it wrote to 3."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writer, 3)
        code = 1
        try:
            body()
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader) as said:
        text = said.read()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), text


def check_blobs(folder: Path) -> None:
    """Each file that has a blob's name has its bytes, and no other file is left."""
    files = [path for path in folder.glob("store*/blobs/**/*") if path.is_file()]
    for path in files:
        assert hashlib.sha256(path.read_bytes()).hexdigest() == path.name, path


def main(folder: Path, action: str, every: int) -> None:
    """Go through all points until the action ends before it comes to one."""
    begin, check = ACTIONS[action]
    if action != "make":
        with Store.open(folder / "store") as store:
            make_tournament(store, blocks=400)
    # Making a store takes many steps in the database, and long: a quarter of them will do.
    for point in count(1, 4 if action == "make" else 1):

        def doomed(point: int = point) -> None:
            act = begin(folder, point)
            sys.settrace(Killer(point, every))
            act()

        def checked(point: int = point) -> None:
            os.write(3, json.dumps(check(folder, point)).encode())
            check_blobs(folder)

        code, where = in_child(doomed)
        assert code in {0, -signal.SIGKILL}, code
        checked_code, found = in_child(checked)
        assert checked_code == 0, (point, where)
        print(json.dumps({"killed": code != 0, "where": where, "found": found == "true"}))
        if code == 0:
            break


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
