"""Loading trusted bots into this process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.tournament.inprocess import NoBotFound, bot_class
from tests.unit.tournament.jobs import RANDOM_BOT, write_bot


def test_the_bot_for_the_game_is_found(tmp_path: Path) -> None:
    """Its base classes, which the file only imports, are not."""
    assert bot_class(write_bot(tmp_path), "bot.py", "claims").__name__ == "Bot"


def test_two_bots_may_have_modules_of_the_same_name(tmp_path: Path) -> None:
    """Each finds its own, and neither leaves it behind."""
    code = (
        "from strategy import NAME\n" + RANDOM_BOT.replace("class Bot", "class B") + "B.me = NAME\n"
    )
    for name in ("one", "two"):
        folder = write_bot(tmp_path / name, code.replace("serve(Bot)", "serve(B)"))
        (folder / "strategy.py").write_text(f"NAME = {name!r}\n")
    found = [bot_class(tmp_path / name, "bot.py", "claims") for name in ("one", "two")]
    assert [vars(bot)["me"] for bot in found] == ["one", "two"]
    assert "strategy" not in sys.modules
    assert not [path for path in sys.path if str(tmp_path) in path]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("x = 1", "defines no bot for the game claims"),
        (RANDOM_BOT.replace("ClaimsBot", "ClaimBot"), "defines no bot for the game claims"),
        ("import nothing_of_that_name", "cannot be imported: ModuleNotFoundError"),
        ("raise SystemExit(3)", "cannot be imported: SystemExit"),
        ("def broken(:", "cannot be imported: SyntaxError"),
    ],
)
def test_a_file_without_a_bot_is_refused_with_the_reason(
    tmp_path: Path, code: str, why: str
) -> None:
    """Before any match is played."""
    with pytest.raises(NoBotFound, match=why):
        bot_class(write_bot(tmp_path, code), "bot.py", "claims")


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    """With the way out."""
    with pytest.raises(NoBotFound, match=r"gone\.py is no Python file"):
        bot_class(tmp_path, "gone.py", "claims")
