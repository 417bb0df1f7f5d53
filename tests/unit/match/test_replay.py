"""Replays as files: packed, read back, damaged."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard

from arena.match import replay
from arena.match.replay import ReplayError
from arena.match.setup import SeatInfo
from arena.match.verify import verify
from tests.unit.match.scripted import play, setup

LINES: list[dict[str, object]] = [
    {"type": "header", "n": 1},
    {"type": "result", "measured": {"seconds": 1.5}},
]


def test_lines_come_back_as_they_were_packed() -> None:
    """Compressed or not."""
    packed = replay.pack(LINES)
    assert list(replay.unpack(packed)) == LINES
    assert list(replay.unpack(zstandard.ZstdDecompressor().decompress(packed))) == LINES


def test_lines_without_some_bytes_can_be_passed_over() -> None:
    """Those that are left are read as ever, and a wrong one is named by its place in the file."""
    packed = replay.pack([*LINES, {"type": "turn", "seat": 2}, {"seat": 1}])
    assert list(replay.unpack(packed, having=b'"seat":2')) == [{"type": "turn", "seat": 2}]
    with pytest.raises(ReplayError, match="line 2 is not JSON"):
        list(replay.unpack(b'no JSON\n"seat":2 neither\n', having=b'"seat":2'))


def test_the_digest_leaves_out_what_was_measured_and_the_order_of_keys() -> None:
    """And nothing else."""
    digest = replay.digest(LINES)
    assert replay.digest([{"n": 1, "type": "header"}, {"type": "result"}]) == digest
    assert replay.digest([{"n": 2, "type": "header"}, {"type": "result"}]) != digest
    assert replay.digest(LINES[:1]) != digest


def test_the_digest_can_be_made_without_us() -> None:
    """SHA-256 over each line with sorted keys, no spaces, and a newline."""
    record = play(setup(2))
    text = ""
    for line in replay.unpack(record.replay):
        line.pop("measured", None)
        text += json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n"
    assert hashlib.sha256(text.encode()).hexdigest() == record.digest


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"not json\n", "line 1 is not JSON"),
        (b'{"a":1}\n[1]\n', "line 2 is not a JSON object"),
        (b"\xff\xfe\n", "line 1 is not JSON"),
        (replay.pack(LINES)[:-4], "damaged"),
        (b"\x28\xb5\x2f\xfd" + b"\0" * 20, "unpacks to more"),
    ],
)
def test_a_file_that_is_no_replay_is_refused_with_the_reason(data: bytes, why: str) -> None:
    """One line, no traceback."""
    with pytest.raises(ReplayError, match=why):
        list(replay.unpack(data))


def test_a_file_that_unpacks_to_more_than_any_replay_is_refused() -> None:
    """A bomb costs no more than the bound."""
    bomb = zstandard.ZstdCompressor().compress(b" " * 2000)
    with pytest.raises(ReplayError, match="unpacks to more"):
        list(replay.unpack(bomb, most=1000))


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    """With what the system says."""
    with pytest.raises(ReplayError, match=r"nowhere.*No such file"):
        replay.read(tmp_path / "nowhere")


def test_the_header_says_all_that_decides_a_match() -> None:
    """Keys as in the format's description."""
    header = next(iter(replay.unpack(play(setup(2)).replay)))
    assert header["format"] == "arena-replay/1"
    assert header["game"] == "claims"
    assert header["options"] == {
        "target": 300,
        "stall_laps": 20,
        "max_laps": 500,
        "max_rounds": 500,
    }
    assert header["seed"] == (1).to_bytes(32, "big").hex()
    assert header["seats"][1] == {"bot": "bot-1", "version": "1", "digest": "ab" * 32}
    assert "person" not in header["seats"][1]
    assert header["timers"] == {"turn": 20.0, "ready": 60.0, "start": 10.0, "budget": 600.0}


def test_the_header_says_where_a_person_plays_and_not_who() -> None:
    """A bot may be called just like that, so it is a key of its own; the verifier takes it."""
    wanted = setup(2)
    wanted = replace(wanted, seats=(SeatInfo("person", "", "", person=True), wanted.seats[1]))
    lines = list(replay.unpack(play(wanted).replay))
    assert lines[0]["seats"][0] == {"bot": "person", "version": "", "digest": "", "person": True}
    assert verify(lines).holds
