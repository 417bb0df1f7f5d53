"""The scorer as a program: its files, its words, its exit code, and that it stands alone."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import scorer
import zstandard
from scorer_samples import sample

FOLDER = Path(scorer.__file__).parent


def text(number: int) -> bytes:
    """A replay as the lines of a file."""
    lines = sample("claims", 3, number, {"max_rounds": 2})
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def run(*arguments: str | Path) -> tuple[int, list[str], str]:
    """Run the program elsewhere: exit code, lines, and what it said on standard error."""
    program = [sys.executable, FOLDER / "scorer.py", *arguments]
    ended = subprocess.run(program, capture_output=True, text=True, check=False, cwd="/")
    return ended.returncode, ended.stdout.splitlines(), ended.stderr


def imported(path: Path) -> Iterator[str]:
    """The top-level names that a module imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield str(node.module).split(".")[0]


def test_it_imports_nothing_of_ours() -> None:
    """Only the standard library, zstandard and the scorer's own modules."""
    modules = {path.stem: path for path in FOLDER.glob("*.py")}
    assert "scorer" in modules
    for path in modules.values():
        for name in imported(path):
            assert name in {"zstandard", *sys.stdlib_module_names, *modules}, (path, name)


def test_files_that_hold_get_a_line_each_and_exit_code_0(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / "b.jsonl.zst"
    plain.write_bytes(text(1))
    packed.write_bytes(zstandard.compress(text(2)))
    code, lines, errors = run(plain, packed)
    assert (code, errors) == (0, "")
    assert [line.split(":")[0] for line in lines] == [f"ok   {plain}", f"ok   {packed}"]
    assert lines[0].startswith(f"ok   {plain}: claims: 2 rounds, ")


def test_a_file_that_does_not_hold_gets_its_line_and_reason_and_exit_code_1(
    tmp_path: Path,
) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_bytes(text(1))
    bad.write_bytes(text(1).replace(b'"starter": 1', b'"starter": 2'))
    number = text(1)[: text(1).index(b'"starter": 1')].count(b"\n") + 1
    code, lines, errors = run(bad, good)
    assert (code, errors) == (1, "")
    assert lines[0] == f"FAIL {bad}: line {number}: starter is 2, should be 1"
    assert lines[1].startswith(f"ok   {good}")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "line 1: the replay ends where a header line should be"),
        (b"{}\n", "line 1: type is null"),
        (b"[1]\n", "line 1: the line is not an object"),
        (text(1)[:-20], "the line is not JSON"),
        (text(1).replace(b"claims", b"cl\xffims", 1), "line 1: the line is not JSON"),
        (b"\n" + text(1), "line 1: the line is not JSON"),
        (b"[" * 100_000, "line 1: the line is not JSON"),
    ],
    ids=["empty", "no type", "a list", "cut off", "not UTF-8", "an empty line", "too deep"],
)
def test_a_file_that_is_no_replay_gets_a_line_and_no_traceback(
    content: bytes, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    code, lines, errors = run(path)
    assert (code, len(lines), errors) == (1, 1, "")
    assert words in lines[0]


@pytest.mark.parametrize("damage", ["not zstd", "cut off"])
def test_a_damaged_compressed_file_gets_a_line_and_no_traceback(
    damage: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.jsonl.zst"
    path.write_bytes(text(1) if damage == "not zstd" else zstandard.compress(text(1))[:-100])
    code, lines, errors = run(path)
    assert (code, len(lines), errors) == (1, 1, "")
    assert lines[0].startswith(f"FAIL {path}: line ")


def test_a_missing_file_and_a_folder_get_a_line_and_exit_code_1(tmp_path: Path) -> None:
    code, lines, errors = run(tmp_path / "none.jsonl", tmp_path)
    assert (code, errors) == (1, "")
    assert lines[0] == f"FAIL {tmp_path / 'none.jsonl'}: can't be read: No such file or directory"
    assert lines[1] == f"FAIL {tmp_path}: can't be read: Is a directory"


def test_without_files_it_says_how_it_is_used_and_exits_2() -> None:
    code, lines, errors = run()
    assert (code, lines) == (2, [])
    assert errors.startswith("usage:")


def test_a_verdict_on_a_bad_replay_tells_what_was_derived_up_to_there() -> None:
    replay = sample("claims", 3, 1, {"max_rounds": 2})
    replay[-1] = {**replay[-1], "winners": []}
    verdict = scorer.score(replay)
    assert (verdict.ok, verdict.line) == (False, len(replay))
    assert (verdict.rounds, verdict.totals) == (2, replay[-1]["totals"])
    assert verdict.ranks == replay[-1]["ranks"]
