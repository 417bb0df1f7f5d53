"""What ``arena bot new`` writes is a bot that can be submitted as it is."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from arena.app.bots.newbot import new_bot
from arena.app.errors import ArenaError, WrongCall
from arena.games import GAMES
from arena.submissions import examine


@pytest.mark.parametrize("game", GAMES)
def test_a_new_bot_is_fit_and_short(game: str, tmp_path: Path) -> None:
    """No finding speaks against it, and all of its code can be read at a glance."""
    folder = new_bot("my-bot", game, tmp_path)
    report = examine(folder)
    assert report.findings == ()
    assert report.submission is not None
    assert report.submission.manifest.name == "my-bot"
    assert report.submission.manifest.games == (game,)
    assert len((folder / "bot.py").read_text().splitlines()) < 15
    assert f"arena rules {game}" in (folder / "README.md").read_text()


@pytest.mark.parametrize("game", GAMES)
def test_a_new_bots_own_tests_hold(game: str, tmp_path: Path) -> None:
    """Its author begins with tests that pass, run as the page beside them says."""
    folder = new_bot("my-bot", game, tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


@pytest.mark.parametrize("name", ["none", "a", "claims-bot", "action", "x-1-2", "burn"])
def test_any_name_gives_code_that_python_reads(name: str, tmp_path: Path) -> None:
    """A name may be a word that means something in Python."""
    tree = ast.parse((new_bot(name, "claims", tmp_path) / "bot.py").read_text())
    (defined,) = (node.name for node in tree.body if isinstance(node, ast.ClassDef))
    assert defined.endswith("Bot")
    assert defined != "ClaimsBot"  # it would hide the class that it is made from


@pytest.mark.parametrize("name", ["My", "", "7up", "a/b", "..", "-a", "a" * 33])
def test_a_name_that_no_bot_can_have_is_a_wrong_call(name: str, tmp_path: Path) -> None:
    """Nothing is written for it."""
    with pytest.raises(WrongCall):
        new_bot(name, "claims", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    """Nobody's work is written over."""
    (tmp_path / "mine").mkdir()
    with pytest.raises(ArenaError, match="another name"):
        new_bot("mine", "claims", tmp_path)
    assert list((tmp_path / "mine").iterdir()) == []
