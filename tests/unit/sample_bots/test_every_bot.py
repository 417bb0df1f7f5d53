"""What is so of every sample bot, in every game that it plays, at every number of players."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from arena.submissions.checks import examine
from arena.tournament.inprocess import bot_class
from tests.unit.sample_bots.tables import NAMES, SAMPLE_BOTS, Chair, every_chair, play, submission


def imports(source: Path) -> set[str]:
    """The modules that a file imports, by their first names."""
    found = set()
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return {name.split(".")[0] for name in found}


every_bot = pytest.mark.parametrize("name", NAMES)


def test_every_folder_beside_the_misbehaving_ones_is_tested_here() -> None:
    """A new sample bot cannot be forgotten."""
    folders = {manifest.parent.name for manifest in SAMPLE_BOTS.glob("*/bot.toml")}
    assert folders == set(NAMES)


@every_bot
def test_a_folder_is_a_submission_that_nothing_speaks_against(name: str) -> None:
    """Not even advice is left to give, and the bot is named as its folder is."""
    report = examine(SAMPLE_BOTS / name)
    assert report.findings == ()
    assert submission(name).manifest.name == name


@every_bot
def test_a_bot_has_a_class_for_each_game_that_its_manifest_names(name: str) -> None:
    """So that no match of those games is lost at its first message."""
    for game_id in submission(name).manifest.games:
        assert bot_class(SAMPLE_BOTS / name, "bot.py", game_id).game == game_id


@every_bot
def test_a_bot_uses_no_clock_and_no_chance_of_its_own(name: str) -> None:
    """Its strength does not depend on the machine, and its seed reproduces it."""
    for source in (SAMPLE_BOTS / name).rglob("*.py"):
        assert not imports(source) & {"time", "datetime", "random", "secrets", "os", "numpy"}


@every_chair
def test_a_bot_never_does_anything_wrong_and_is_the_same_again(chair: Chair) -> None:
    """Among bots that play at random every position comes up; equal seeds give equal matches."""
    short = {} if chair.game == "claro" else {"max_rounds": 2, "max_laps": 40}
    for seed in range(2):
        names = ["random"] * chair.seats
        names[seed % chair.seats :: 2] = [chair.bot] * len(names[seed % chair.seats :: 2])
        once, again = (play(chair.game, names, seed, **short) for _ in range(2))
        assert [seat.faults for seat in once.seats] == [()] * chair.seats, once.seats
        assert once.digest == again.digest
