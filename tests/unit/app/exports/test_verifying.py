"""A whole tournament is verified from its export, and whatever was tampered with is found."""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from arena.app.errors import ArenaError
from arena.app.exports import verifying
from arena.app.exports.export import export, export_zip
from arena.app.rankings.waves import Growth, scheduled
from arena.games import game
from arena.match import replay
from arena.match.setup import MatchSetup, SeatInfo, Timers
from arena.schedule import first_wave, plan
from arena.store import (
    MAX_ATTEMPTS,
    NewResult,
    SeatFault,
    SeatResult,
    Store,
    StoredMatch,
    Tournament,
)
from arena.store.testing import new_tournament, new_version
from arena.tournament.job import match_seed
from tests.unit.match.scripted import Scripted, play

OPTIONS = game("claims").options({"target": 150, "max_rounds": 1}).as_dict()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with a tournament of each kind."""
    with Store.open(tmp_path_factory.mktemp("home")) as opened:
        yield opened


def create(store: Store, name: str, blocks: int, until_clear: float | None) -> Tournament:
    """Three bots at tables of two; nothing is played."""
    new = new_tournament(
        name,
        options=OPTIONS,
        timers=asdict(Timers()),
        blocks=blocks,
        until_clear=until_clear,
        seed=random.Random(name).randbytes(32),
    )
    bots = [store.add_version(new_version(f"bot{at}"), b"") for at in range(3)]
    if until_clear is None:
        drawn = plan(3, 2, blocks=blocks, seed=new.seed).blocks
    else:
        drawn = first_wave(3, 2, most=blocks, seed=new.seed)
    return store.create_tournament(new, bots, scheduled(drawn, new.seed))


def late(turn: int, _: object) -> float | None:
    """Is too late in its second turn, which is a fault that the replay shows."""
    return 21.0 if turn == 2 else None


def played(cup: Tournament, match: StoredMatch) -> tuple[NewResult, bytes]:
    """Play a match; all chance comes from its deals' seed."""
    record = play(
        MatchSetup(
            match_id=match.id,
            game=cup.game,
            options=game(cup.game).options(cup.options),
            seed=match_seed(cup.seed, match.key.block),
            seats=tuple(
                SeatInfo(version.bot, str(version.number), version.digest)
                for version in (cup.entries[entry].version for entry in match.seating)
            ),
            timers=Timers(**cup.timers),
            max_faults=cup.max_faults,
            isolation=cup.isolation,
        ),
        Scripted(late),
    )
    seats = tuple(
        SeatResult(
            seat=at,
            entry=match.seating[at],
            rank=record.result.ranks[at],
            total=record.result.totals[at],
            faults=tuple(SeatFault(f.round, f.turn, f.kind.value) for f in seat.faults),
            outcome="PLAYED" if seat.out is None else seat.out.kind.value,
            detail="played to the end",
            charged_ms=1.5,
            peak_memory=1000,
            luck=seat.luck,
        )
        for at, seat in enumerate(record.seats)
    )
    result = NewResult(
        match_id=match.id,
        reason=record.result.reason.value,
        rounds=record.rounds,
        turns=record.turns,
        replay_digest=record.digest,
        seats=seats,
        measured={"seconds": 0.5},
    )
    return result, record.replay


def spoil(store: Store, cup: Tournament, match: StoredMatch, times: int) -> None:
    """Let attempts at a match be void."""
    for attempt in range(1, times + 1):
        store.record_void(cup.id, match.id, attempt, reason="SANDBOX", detail="engine died")


def play_all(store: Store, cup: Tournament, *, hole: int | None = None) -> None:
    """Play what is pending; the block `hole` gets one, and another match is tried twice."""
    for match in store.pending_matches(cup.id):
        if (match.key.block, match.key.rotation) == (hole, 1):
            spoil(store, cup, match, MAX_ATTEMPTS)
            continue
        if hole is not None and (match.key.block, match.key.rotation) == (hole + 1, 0):
            spoil(store, cup, match, 1)
        result, data = played(cup, match)
        store.record_result(cup.id, result, data)


def grow(store: Store, cup: Tournament, *, withdraw_at: int | None = None) -> None:
    """Play an adaptive tournament to its end; bot2 may be withdrawn and annulled on the way."""
    growth = Growth.of(store, cup)
    assert growth is not None
    play_all(store, cup, hole=1)
    waves = 0
    while growth.grow():
        waves += 1
        if waves == withdraw_at:
            store.entering.withdraw(cup.id, "bot2", why="it was a copy", annul=True)
        play_all(store, cup)


@pytest.fixture(scope="module")
def exports(store: Store, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An export of every kind of tournament, by name."""
    fixed = create(store, "fixed", 4, None)
    play_all(store, fixed, hole=1)
    grow(store, create(store, "adaptive", 24, 0.6))
    grow(store, create(store, "withdrawn", 40, 0.6), withdraw_at=1)
    dropped = create(store, "dropped", 4, None)
    for match in store.pending_matches(dropped.id)[:5]:
        store.record_result(dropped.id, *played(dropped, match))
    store.entering.withdraw(dropped.id, "bot1", why="it always crashes")
    play_all(store, dropped)
    running = create(store, "running", 4, None)
    for match in store.pending_matches(running.id)[:5]:
        store.record_result(running.id, *played(running, match))
    cancelled = create(store, "cancelled", 4, None)
    for match in store.pending_matches(cancelled.id)[:3]:
        store.record_result(cancelled.id, *played(cancelled, match))
    store.cancel(cancelled.id)
    store.create_tournament(new_tournament("open", options=OPTIONS, blocks=0))
    create(store, "created", 2, None)
    names = ("fixed", "adaptive", "withdrawn", "dropped", "running", "cancelled", "open", "created")
    folder = tmp_path_factory.mktemp("exports")
    for name in names:
        export(store, name, folder / name)
    return {name: folder / name for name in names}


@pytest.mark.parametrize("name", ["fixed", "adaptive", "withdrawn", "dropped", "cancelled"])
def test_a_tournament_that_is_over_is_verified_to_the_last_digit(
    exports: dict[str, Path], name: str
) -> None:
    """Seed, deals, replays, results, schedule and ranking; with holes and withdrawn bots."""
    found = verifying.verify(exports[name])
    assert (found.wrong, found.not_yet, found.tournament) == (None, (), name)
    told = "\n".join(found.checked)
    for part in ("hash was published", "replays hold", "replays say", "seed gives", "ranking of 3"):
        assert part in told
    assert ("left out" in told) == (name != "cancelled")


def test_what_cannot_be_verified_yet_is_said(exports: dict[str, Path]) -> None:
    """As long as the seed is secret and deals are in play, all else is verified."""
    found = verifying.verify(exports["running"])
    assert found.holds
    secret, held_back = found.not_yet
    assert "the seed is secret" in secret
    assert held_back.startswith("1 replays are released once")
    assert "replays hold and are those of their matches: 4" in found.checked
    for name in ("open", "created"):
        found = verifying.verify(exports[name])
        assert (found.holds, len(found.not_yet)) == (True, 1)


def test_an_archive_is_verified_as_a_folder_is(
    store: Store, exports: dict[str, Path], tmp_path: Path
) -> None:
    """As the arena writes it, and with a folder around everything; replays are told as they go."""
    with (tmp_path / "plain.zip").open("wb") as file:
        export_zip(store, "fixed", file)
    shutil.make_archive(str(tmp_path / "around"), "zip", exports["fixed"].parent, "fixed")
    heard: list[tuple[int, int]] = []
    for name in ("plain.zip", "around.zip"):
        found = verifying.verify(tmp_path / name, tell=lambda *at: heard.append(at))
        assert found == verifying.verify(exports["fixed"])
    assert heard == [(done, 7) for done in range(1, 8)] * 2


def test_replays_that_are_no_longer_kept_are_said(
    store: Store, exports: dict[str, Path], tmp_path: Path
) -> None:
    """Their results are taken as they stand; all else is verified, and none can just be missing."""
    folder = tmp_path / "copy"
    shutil.copytree(exports["fixed"], folder)
    gone = replays(folder)[2]
    gone.unlink()
    assert f"{gone.name} is missing" in (verifying.verify(folder).wrong or "")
    name = gone.name.removesuffix(".jsonl.zst")
    (folder / "removed.jsonl").write_text(json.dumps({"match": name}) + "\n")
    found = verifying.verify(folder)
    assert found.holds
    (told,) = found.not_yet
    assert told.startswith("1 replays are no longer kept")
    assert "results are what the replays say: 6" in found.checked


@pytest.mark.parametrize("content", [None, b"no archive", b""])
def test_what_is_no_export_is_said(tmp_path: Path, content: bytes | None) -> None:
    """A folder without one, a file that is no archive, and what isn't there."""
    path = tmp_path / "there"
    if content is None:
        path.mkdir()
    elif content:
        path.write_bytes(content)
    with pytest.raises(ArenaError, match=r"export"):
        verifying.verify(path)


# --- tampering

Tamper: TypeAlias = Callable[[Path], None]


def setting(name: str, *path: str | int, to: Any) -> Tamper:
    """Change one value of a document or, by the number of its line, of a file of lines."""

    def change(folder: Path) -> None:
        file = folder / name
        text = file.read_text()
        whole = [json.loads(line) for line in text.splitlines()] if "jsonl" in name else None
        document = json.loads(text) if whole is None else whole
        value: Any = document
        for key in path[:-1]:
            value = value[key]
        old = value[path[-1]]
        value[path[-1]] = to(old) if callable(to) else to
        assert value[path[-1]] != old
        lines = [document] if whole is None else whole
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))

    return change


def dropping(name: str, line: int) -> Tamper:
    """Take out a line."""

    def change(folder: Path) -> None:
        lines = (folder / name).read_text().splitlines(keepends=True)
        del lines[line]
        (folder / name).write_text("".join(lines))

    return change


def written(name: str, text: str) -> Tamper:
    """Put another text into a file."""

    def change(folder: Path) -> None:
        (folder / name).write_text(text, errors="surrogateescape")

    return change


def last_block_left_out(folder: Path) -> None:
    for line in (7, 6):
        dropping("schedule.jsonl", line)(folder)


def replays(folder: Path) -> list[Path]:
    """The replays, in schedule order."""
    lines = (folder / "results.jsonl").read_text().splitlines()
    return [folder / "replays" / f"{json.loads(line)['match']}.jsonl.zst" for line in lines]


def in_replay(*path: str | int, to: Any) -> Tamper:
    """Change one value in the first replay."""

    def change(folder: Path) -> None:
        file = replays(folder)[0]
        lines = list(replay.unpack(file.read_bytes()))
        value: Any = lines
        for key in path[:-1]:
            value = value[key]
        value[path[-1]] = to
        file.write_bytes(replay.pack(lines))

    return change


def no_replay(folder: Path) -> None:
    replays(folder)[2].unlink()


def one_replay_more(folder: Path) -> None:
    shutil.copy(replays(folder)[0], folder / "replays" / "more.jsonl.zst")


def one_file_more(folder: Path) -> None:
    (folder / "notes.txt").write_text("x")


def replays_swapped(folder: Path) -> None:
    one, other, *_ = replays(folder)
    kept = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(kept)


def replay_cut_off(folder: Path) -> None:
    file = replays(folder)[0]
    file.write_bytes(replay.pack(list(replay.unpack(file.read_bytes()))[:-1]))


def replay_damaged(folder: Path) -> None:
    replays(folder)[0].write_bytes(b"not at all")


def another_seed(folder: Path) -> None:
    setting("tournament.json", "seed", to="ab" * 32)(folder)
    hashed = hashlib.sha256(bytes.fromhex("ab" * 32)).hexdigest()
    setting("tournament.json", "seed_hash", to=hashed)(folder)


def digit(name: str) -> Tamper:
    """Change the last digit of the last number of a table."""

    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        at = max(at for at, letter in enumerate(text) if letter.isdigit())
        (folder / name).write_text(text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :])

    return change


def last_digit(value: float) -> float:
    """The next number that a float can be."""
    return math.nextafter(value, math.inf)


TAMPERED: dict[str, tuple[Tamper, str]] = {
    "another seed than the published": (
        setting("tournament.json", "seed", to="00" * 32),
        "the hash of the seed",
    ),
    "another seed, published": (another_seed, "line 1: seed is"),
    "no seed": (setting("tournament.json", "seed", to=None), "its seed is missing"),
    "a seed that is none": (setting("tournament.json", "seed", to="xyz"), "tournament.json is not"),
    "no replay": (no_replay, "is missing"),
    "one replay more": (one_replay_more, "more.jsonl.zst does not belong there"),
    "one file more": (one_file_more, "notes.txt does not belong there"),
    "replays swapped": (replays_swapped, "line 1: match is"),
    "a replay cut off": (replay_cut_off, "cut off"),
    "a replay damaged": (replay_damaged, "line 1 is not JSON"),
    "a card": (in_replay(1, "hands", 0, 0, to="As"), "line 2: hands is"),
    "a move": (in_replay(2, "seat", to=7), "line 3: a decision of seat"),
    "a replay's engine": (in_replay(0, "engine", to="0.9"), "line 1: played by engine 0.9"),
    "a replay's bot": (in_replay(0, "seats", 0, "bot", to="x"), r"line 1: seats \[0\] bot is"),
    "a replay's digest of a bot": (
        in_replay(0, "seats", 1, "digest", to="00" * 32),
        r"line 1: seats \[1\] digest is",
    ),
    "a replay's timers": (in_replay(0, "timers", "turn", to=9.0), "line 1: timers turn is 9.0"),
    "a replay's isolation": (in_replay(0, "isolation", to="warm"), "line 1: isolation is"),
    "a replay's max_faults": (in_replay(0, "max_faults", to=99), "line 1: max_faults is 99"),
    "a rank": (
        setting("results.jsonl", 0, "result", "seats", 0, "rank", to=lambda old: 3 - old),
        "rank is",
    ),
    "points": (
        setting("results.jsonl", 0, "result", "seats", 0, "points", to=lambda old: old + 1),
        "points is",
    ),
    "a fault": (
        setting("results.jsonl", 0, "result", "seats", 0, "faults", to=[]),
        r"faults is \[\], but should be",
    ),
    "luck": (
        setting("results.jsonl", 0, "result", "seats", 1, "luck", to=last_digit),
        "luck is",
    ),
    "an outcome": (
        setting("results.jsonl", 0, "result", "seats", 0, "outcome", to="CRASHED"),
        'outcome is "CRASHED", but should be "PLAYED"',
    ),
    "a digest": (setting("results.jsonl", 0, "result", "digest", to="00" * 32), "digest is"),
    "turns": (setting("results.jsonl", 0, "result", "turns", to=1), "turns is 1"),
    "rounds": (setting("results.jsonl", 0, "result", "rounds", to=5), "rounds is 5"),
    "a reason": (setting("results.jsonl", 0, "result", "reason", to="x"), "reason is"),
    "who sat where": (
        setting("results.jsonl", 0, "result", "seats", 0, "entry", to=lambda old: (old + 1) % 3),
        "is not seated as the schedule says",
    ),
    "a result left out": (dropping("results.jsonl", 1), "cannot be done after 1 attempts"),
    "a result twice": (
        setting("results.jsonl", 1, "match", to=lambda _: None),
        "cannot be done|results.jsonl",
    ),
    "a match left out": (dropping("schedule.jsonl", 3), "do not follow each other"),
    "the last block left out": (
        last_block_left_out,
        "its matches are not those|is missing|does not belong",
    ),
    "a seating": (
        setting("schedule.jsonl", 3, "seating", to=lambda old: old[::-1]),
        r"of block 1 should be \w+ of block 1, seating",
    ),
    "a seat for nobody": (setting("schedule.jsonl", 0, "seating", to=[0, 7]), r"seats \[0, 7\]"),
    "a match's id": (setting("schedule.jsonl", 0, "match", to="0" * 16), "cannot be done"),
    "a hole that is none": (
        setting("schedule.jsonl", 3, "status", to="annulled"),
        "cannot be annulled after 3 attempts",
    ),
    "a status that is none": (
        setting("schedule.jsonl", 3, "status", to="lost"),
        "schedule.jsonl, line 4 is not",
    ),
    "attempts": (setting("schedule.jsonl", 0, "attempts", to=2), "voids.jsonl: the spoilt"),
    "an attempt left out": (dropping("voids.jsonl", 3), "voids.jsonl: the spoilt"),
    "a rating": (setting("tournament.json", "standings", 0, "mu", to=last_digit), "standings"),
    "a name in the ranking": (
        setting("tournament.json", "standings", 0, "bot", to="bot9"),
        'standings \\[0\\] bot is "bot9"',
    ),
    "a block left out": (setting("tournament.json", "left_out", to=[0, 1]), "left_out is"),
    "no hole": (setting("tournament.json", "hole_blocks", to=[]), "hole_blocks is"),
    "progress": (setting("tournament.json", "progress", "voids", to=0), "progress voids is 0"),
    "a state": (setting("tournament.json", "progress", "state", to="running"), "cannot be running"),
    "a state that is none": (
        setting("tournament.json", "progress", "state", to="lost"),
        "tournament.json is not",
    ),
    "an option": (setting("tournament.json", "options", "target", to=300), "options target is"),
    "a timer": (setting("tournament.json", "timers", "turn", to=19.0), "timers turn is"),
    "a game": (setting("tournament.json", "game", to="chess"), "chess"),
    "a table's size": (setting("tournament.json", "table_size", to=3), "whole blocks"),
    "an entry's digest": (
        setting("tournament.json", "entries", 0, "digest", to="00" * 32),
        r"seats \[[01]\] digest is",
    ),
    "an entry withdrawn": (
        setting("tournament.json", "entries", 0, "withdrawn_from", to=1),
        "entry 0 cannot be numbered or withdrawn",
    ),
    "the standings' table": (digit("standings.csv"), "standings.csv, line 4"),
    "the table of pairs": (digit("head_to_head.csv"), "head_to_head.csv, line"),
    "the table of results": (digit("results.csv"), "results.csv, line"),
    "a replay removed that was never released": (
        written("removed.jsonl", '{"match": "x"}\n'),
        "removed.jsonl: a replay stands there",
    ),
    "no document": (written("tournament.json", "[]"), "tournament.json is not as"),
    "no JSON": (written("schedule.jsonl", "{"), "schedule.jsonl, line 1 is not JSON"),
    "no text": (written("voids.jsonl", "\udcff"), "voids.jsonl is no text"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_tampered_with_is_found(
    exports: dict[str, Path], tmp_path: Path, what: str
) -> None:
    """In a folder in which everything else is right."""
    change, told = TAMPERED[what]
    folder = tmp_path / "copy"
    shutil.copytree(exports["fixed"], folder)
    change(folder)
    found = verifying.verify(folder)
    assert not found.holds
    assert re.search(told, found.wrong or ""), found.wrong


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (setting("tournament.json", "blocks", to=20), "schedule.jsonl: the schedule goes on"),
        (setting("tournament.json", "clarity", "clear", to=lambda old: not old), "clarity clear"),
        (setting("tournament.json", "clarity", "order", to=lambda old: old[::-1]), "clarity order"),
    ],
)
def test_what_was_tampered_with_in_an_adaptive_tournament_is_found(
    exports: dict[str, Path], tmp_path: Path, change: Tamper, told: str
) -> None:
    """Its waves depend on how clear the order was to be, and its order on its results."""
    folder = tmp_path / "copy"
    shutil.copytree(exports["adaptive"], folder)
    change(folder)
    assert told in (verifying.verify(folder).wrong or "")
