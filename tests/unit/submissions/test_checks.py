"""`arena bot check` finds what can be found without running anything of the bot."""

from pathlib import Path

import pytest

from arena.submissions.checks import Severity, check, examine, examine_submission
from arena.submissions.errors import SubmissionError
from arena.submissions.submission import assemble
from arena.submissions.tree import File

MANIFEST = File("bot.toml", b'name = "a"\ngame = "claims"\n')
ENTRYPOINT = File("bot.py", b"from arenabot import serve\nserve(None)\n")


def lines(*files: File, python: str | None = None, manifest: File = MANIFEST) -> list[str]:
    """The findings on a bot of these files."""
    return [str(f) for f in examine_submission(assemble([manifest, *files]), python).findings]


def test_a_good_bot_gets_no_finding() -> None:
    """Nothing is said about a bot that is in order."""
    assert lines(ENTRYPOINT, File("lib/x.py", b"x = 1\n"), File("data.bin", b"\0")) == []


def test_an_entrypoint_that_does_not_compile_is_fatal() -> None:
    """A syntax error in the file that is started is fatal, with its line."""
    broken = File("bot.py", b"serve = 1\n\nif x\n")
    assert lines(broken) == ["fatal: 'bot.py', line 3: expected ':'"]


def test_another_file_that_does_not_compile_is_advice() -> None:
    """A syntax error elsewhere may never matter, so it is advice."""
    found = lines(ENTRYPOINT, File("b.py", b"(\n"), File("a.py", b"\x00"), File("c.txt", b"("))
    assert [line.split(":")[:2] for line in found] == [
        ["advice", " 'a.py', line 1"],
        ["advice", " 'b.py', line 1"],
    ]


def test_a_base_image_with_another_python_has_the_last_word() -> None:
    """Where the bot will run on another Python, ours can only advise, and says so."""
    broken = File("bot.py", b"serve(\n")
    (line,) = lines(broken, python="3.99.1")
    assert line.startswith("advice: 'bot.py', line 1: ")
    assert "(says Python 3." in line
    assert line.endswith("; the bot will run on 3.99.1)")


@pytest.mark.parametrize(
    "source",
    [b"(" * 100_000, b"-" * 1_000_000 + b"1", b"x = " + b"[" * 5000 + b"]" * 5000,
     b"\xff\xfe", b"# coding: nonsense\n", b"x = '\x00'"],
    ids=["parentheses", "minus", "brackets", "no text", "coding", "nul"],
)  # fmt: skip
def test_source_that_hurts_a_compiler_hurts_only_itself(source: bytes) -> None:
    """Source that would exhaust or crash a compiler is a finding, and the next file is seen."""
    found = lines(File("bot.py", source + b"\n# serve"))
    assert len(found) == 1
    assert found[0].startswith("fatal: 'bot.py', line ")
    assert found[0].isprintable()


def test_nothing_is_run(tmp_path: Path) -> None:
    """Code at the top of every file, sitecustomize included, stays without effect."""
    canary = tmp_path / "canary"
    code = f"open({str(canary)!r}, 'w').close()  # serve\n".encode()
    names = ("bot.py", "sitecustomize.py", "setup.py", "conftest.py", "json.py", "x/__init__.py")
    for name in names:
        target = tmp_path / "bot" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(code)
    (tmp_path / "bot" / "bot.toml").write_bytes(MANIFEST.content)
    examine(tmp_path / "bot")
    assert not canary.exists()


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("grpc.py", "'grpc.py' hides the installed module \"grpc\""),
        ("arenabot/__init__.py", "'arenabot/__init__.py' hides the installed module \"arenabot\""),
        ("numpy.so", "'numpy.so' hides the installed module \"numpy\""),
        ("random.py", "'random.py' hides Python's own module \"random\""),
        ("sitecustomize.py", "'sitecustomize.py' is never run here; remove it"),
    ],
)
def test_a_module_that_hides_another_is_advice(path: str, line: str) -> None:
    """A file beside the entrypoint that Python finds first is named, and only that."""
    (found,) = lines(ENTRYPOINT, File(path, b""))
    assert found.startswith(f"advice: {line}")


def test_only_what_lies_beside_the_entrypoint_hides() -> None:
    """Deeper files hide nothing, nor do folders without `__init__.py`."""
    assert lines(ENTRYPOINT, File("lib/random.py", b""), File("grpc/notes.py", b"")) == []
    manifest = File("bot.toml", MANIFEST.content + b'entrypoint = "src/bot.py"\n')
    files = (File("src/bot.py", b"# serve"), File("src/queue.py", b""), File("random.py", b""))
    (found,) = lines(*files, manifest=manifest)
    assert "'src/queue.py' hides" in found


def test_a_bot_that_never_serves_is_told() -> None:
    """The most usual mistake, no serve() at the end, is advice."""
    assert lines(File("bot.py", b"print(1)\n")) == [
        "advice: 'bot.py' never mentions serve; a bot ends with serve(MyBot())"
    ]


def test_a_node_bot_is_told_that_it_waits() -> None:
    """A runtime without a base image is taken, with advice."""
    manifest = File("bot.toml", MANIFEST.content + b'runtime = "node"\n')
    found = lines(File("bot.js", b"("), manifest=manifest)
    assert found == [('advice: runtime "node" is not built here yet, so that this bot can not'
                     " play yet")]  # fmt: skip


def test_what_can_not_be_read_is_one_fatal_finding(tmp_path: Path) -> None:
    """examine never raises for a bad submission; check does, with the same line."""
    report = examine(tmp_path)
    assert report.submission is None
    assert [f.severity for f in report.findings] == [Severity.FATAL]
    with pytest.raises(SubmissionError) as caught:
        check(tmp_path)
    assert str(caught.value) == report.findings[0].text


def test_check_raises_for_fatal_findings_and_returns_the_rest(tmp_path: Path) -> None:
    """check gives the submission where there is advice only, and refuses what is fatal."""
    (tmp_path / "bot.toml").write_bytes(MANIFEST.content)
    (tmp_path / "bot.py").write_text("x = 1\n")
    assert check(tmp_path).manifest.name == "a"
    (tmp_path / "bot.py").write_text("x =\n")
    with pytest.raises(SubmissionError, match=r"^'bot\.py', line 1: invalid syntax$"):
        check(tmp_path)
