"""What a terminal sees, and what it must never see."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import zstandard

from tests.integration.cli.arenas import Arena

PLAY = ("play", "random", "random", "--game", "claims", "--sandbox", "none", "--matches", "8")


def read_all(terminal: int) -> str:
    """Everything that was written to a terminal until its other end closed."""
    text = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # how the end shows on Linux
            return text.decode()
        if not part:
            return text.decode()
        text += part


def unpacked(replay: Path) -> str:
    """A replay's lines as text."""
    return zstandard.ZstdDecompressor().decompress(replay.read_bytes(), 1 << 26).decode()


def test_a_bar_shows_on_a_terminal_and_only_there(arena: Arena) -> None:
    """Matches done and their rate go to standard error; the document itself stays whole."""
    ours, theirs = pty.openpty()
    with arena.start(*PLAY, "--json", stderr=theirs) as process:
        os.close(theirs)
        shown = read_all(ours)
        assert process.stdout is not None
        document = json.loads(process.stdout.read())
    os.close(ours)
    assert process.returncode == 0
    assert "matches" in shown
    assert "8/8" in shown
    assert len(document["matches"]) == 8
    arena(*PLAY)
    assert arena.err == ""


def test_a_reader_that_goes_away_is_no_error(arena: Arena) -> None:
    """``arena ... | head -1`` prints its line and nothing else."""
    arena(*PLAY[:-2], "--replay", "r")
    (replay,) = (arena.here / "r").iterdir()
    program = [sys.executable, "-P", "-c", "from arena.cli.entry import main; main()"]
    with subprocess.Popen(
        [*program, "replay", "show", str(replay)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("Claims, match ")
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode in {0, 1}


def test_a_name_in_a_replay_cannot_reach_the_terminal(arena: Arena) -> None:
    """A file that a stranger made may hold anything."""
    arena(*PLAY[:-2], "--replay", "r")
    (path,) = (arena.here / "r").iterdir()
    lines = unpacked(path)
    hostile = lines.replace('"bot":"random"', '"bot":"\\u001b[2J[bold]\\u202e"')
    assert hostile != lines
    (arena.here / "hostile.jsonl").write_text(hostile)
    shown = arena("replay", "show", "hostile.jsonl")
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\\x1b[2J[bold]\\u202e" in shown


def test_a_replay_that_does_not_hold_is_drawn_up_to_there(arena: Arena) -> None:
    """The first wrong line is named, by show and by verify, and both end with 1."""
    arena(*PLAY[:-2], "--replay", "r")
    (path,) = (arena.here / "r").iterdir()
    lines = unpacked(path).splitlines()
    tampered = json.loads(lines[4])
    tampered["drawn"] = "As" if tampered["drawn"] != "As" else "Ks"
    lines[4] = json.dumps(tampered)
    (arena.here / "tampered.jsonl").write_text("\n".join(lines))
    shown = arena("replay", "show", "tampered.jsonl", code=1)
    assert "Round 1:" in shown
    assert "does not hold: line 5: " in shown
    assert "does not hold: line 5: " in arena("replay", "verify", "tampered.jsonl", code=1)
    (arena.here / "nothing.jsonl").write_text("nothing")
    assert "line 1 is not JSON" in arena("replay", "verify", "nothing.jsonl", code=1)
    arena("replay", "show", "nothing.jsonl", code=1)
    assert "line 1 is not JSON" in arena.err


def test_a_run_that_is_terminated_ends_as_tidily_as_by_ctrl_c(arena: Arena) -> None:
    """A service manager's SIGTERM: one line, and no worker or bot is left."""
    arena(
        "tournament", "create", "cup", "random", "greedy", "--game", "claims", "--blocks", "9",
        "--sandbox", "process", "--trusted",
    )  # fmt: skip
    with arena.start("tournament", "run", "cup") as process:
        arena.wait_for_results("cup", 1, process)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate()
    assert process.returncode == 130
    assert err.splitlines()[-1].startswith("arena: stopped; go on with: ")
    assert arena.processes() == []


def test_the_doctor_finds_the_store_and_says_what_is_missing(arena: Arena) -> None:
    """Without an engine the arena works; a store that cannot be opened is broken, and 1."""
    findings = {found["name"]: found for found in arena.json("doctor")["findings"]}
    assert findings["folder"]["sentence"] == str(arena.home)
    assert findings["folder"]["state"] == "ok"
    assert findings["engine"]["state"] == "missing"
    assert "The arena works" in arena("doctor")
    arena.home = arena.here / "file"
    arena.home.touch()
    assert "broken" in arena("doctor", code=1)
