"""Every ending of a command is at most one line on standard error, and a code that scripts know."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
import typer

from arena.app.errors import ArenaError, WrongCall
from arena.cli import main, rules
from arena.cli.stopped import can_go_on
from arena.store import StoreError
from arenabot.options import OptionError


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[BaseException], int]:
    """Runs a command that raises, with an arena's folder of its own."""
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))

    def run(error: BaseException) -> int:
        app = typer.Typer()

        @app.command()
        def _fails() -> NoReturn:
            raise error

        monkeypatch.setattr(rules, "app", app)
        return main.run(["rules"])

    return run


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ArenaError("the store is on fire"), 1),
        (StoreError("the store is on fire"), 1),
        (WrongCall("the store is on fire"), 2),
        (OptionError("the store is on fire"), 2),
    ],
)
def test_an_error_for_people_is_one_line(
    failing: Callable[[BaseException], int],
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    code: int,
) -> None:
    """A failure ends with 1, a wrong call with 2, and both say what to do on standard error."""
    assert failing(error) == code
    out, err = capsys.readouterr()
    assert (out, err) == ("", "arena: the store is on fire\n")


def test_a_defect_of_ours_leaves_its_traceback_in_a_file(
    failing: Callable[[BaseException], int],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """The screen gets one line that names the file; nothing is swallowed."""
    assert failing(ZeroDivisionError("by\nnothing")) == 1
    out, err = capsys.readouterr()
    (file,) = (tmp_path / "home" / "log").glob("bug-*.log")
    assert out == ""
    assert err.count("\n") == 1
    assert "this is a bug" in err
    assert str(file) in err
    text = file.read_text()
    assert "Traceback" in text
    assert "ZeroDivisionError: by" in text
    assert file.stat().st_mode & 0o077 == 0


def test_an_error_cannot_colour_the_terminal(
    failing: Callable[[BaseException], int], capsys: pytest.CaptureFixture[str]
) -> None:
    """A name in an error is spelled out, and stays on the line."""
    failing(ArenaError("no bot '\x1b[31m\nred'"))
    assert capsys.readouterr().err == "arena: no bot '\\x1b[31m\\nred'\n"


def test_ctrl_c_is_one_line_and_130(
    failing: Callable[[BaseException], int], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever stops a command sees that it was stopped."""
    assert failing(KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == "arena: stopped\n"


def test_ctrl_c_says_how_to_go_on_where_one_can(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A tournament is run on with the command that is shown, in one line still."""
    app = typer.Typer()

    @app.command()
    def _stops() -> None:
        with can_go_on("arena tournament run cup"):
            raise KeyboardInterrupt

    monkeypatch.setattr(rules, "app", app)
    assert main.run(["rules"]) == 130
    assert capsys.readouterr().err == "arena: stopped; go on with: arena tournament run cup\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nonsense"], "nonsense"),
        (["tournamnt"], "tournament"),
        (["rules"], "GAME"),
        (["rules", "poker"], "claims, claim, claro"),
        (["rules", "claims", "--lang", "ro"], "only in: en"),
        (["play", "greedy", "random", "--game", "poker"], "claims, claim, claro"),
        (["play", "greedy", "random", "--game", "claims", "--matches", "none"], "--matches"),
        (["play", "greedy", "random", "--game", "claims", "--turn", "0"], "turn timer"),
        (["play", "greedy", "--game", "claims"], "2 to 7 players"),
        (["play", "greedy", "random", "--game", "claims", "--option", "x"], "name=value"),
        (["play", "greedy", "random", "--game", "claims", "--option", "target=7"], "target is 7"),
        (["bot", "new", "My Bot"], "a-z"),
        (["image", "build", "--from", "a", "--rootfs", "b"], "--rootfs"),
        (["image", "build", "--from", "z\udcff"], "--from is the name of an image"),
        (["image", "build", "--tag", "z\udcff"], "--tag is the name of an image"),
        (["tournament", "create", "x", "--game", "claims", "--seed", "7"], "64 hex digits"),
    ],
)
def test_a_wrong_call_is_one_line_that_helps(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    told: str,
) -> None:
    """It ends with 2, whatever is wrong: a command, an argument, an option, a name, a number."""
    monkeypatch.setenv("ARENA_HOME", str(tmp_path))
    assert main.run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("arena: ")
    assert err.count("\n") == 1
    assert told in err


def test_the_help_loads_no_room() -> None:
    """Whoever asks for help need not wait for the database, gRPC or the engine's client."""
    script = (
        "import sys; from arena.cli.main import run; code = run(['--help']);"
        "heavy = {'sqlalchemy', 'grpc', 'docker', 'pydantic', 'structlog'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    for name, does in main.COMMANDS.items():
        assert f"{name} " in done.stdout
        assert does in done.stdout


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command of the table loads, and says what it does."""
    assert main.run([name, "--help"]) == 0
    assert "Usage: arena" in capsys.readouterr().out
