"""The SDK's README shows a first bot: it is short, and it plays."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from arena.games import game
from arenabot import CLAIM, ClaimsBot, ClaimsObservation, burn
from arenabot.testing import observation, play_match, play_turn

README = Path(__file__).parents[3] / "sdk" / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


def test_a_first_bot_is_under_15_lines() -> None:
    """Imports, blank lines and the call of serve() included."""
    assert len(BLOCKS[0].splitlines()) < 15


@pytest.mark.parametrize("seats", [2, 4, 7])
def test_the_first_bot_plays_whole_matches(seats: int) -> None:
    """Every move of it is legal, at any number of players."""
    match = game("claims").new_match(seats=seats, seed=bytes(32))
    assert play_match(match, [_run()["Dearest"]] * seats) == match.result()


def test_the_first_bot_does_what_its_docstring_says() -> None:
    """It burns the dearest card, and claims with 4 points, not with 5."""
    bot = _run()["Dearest"]
    assert play_turn(bot, observation("Ks 9h 7s", zero="7d", takeable="As")) == burn("Ks")
    assert play_turn(bot, observation("4s 7s", zero="7d")) is CLAIM
    assert play_turn(bot, observation("5s 7s", zero="7d")) == burn("5s")


def test_the_test_that_the_readme_shows_passes() -> None:
    """And it would fail if the bot burned another card."""
    names = _run()
    names["test_it_burns_the_king"]()

    class Cheapest(ClaimsBot):
        def turn(self, observation: ClaimsObservation) -> Any:
            return observation.legal_actions()[0]

    names["Dearest"] = Cheapest
    with pytest.raises(AssertionError):
        names["test_it_burns_the_king"]()


def test_every_name_in_the_table_is_one_of_an_observation() -> None:
    """Fields, properties and methods alike."""
    rows = re.findall(r"^\| (`.*?) \|", README.read_text("utf-8"), re.MULTILINE)
    named = [name for row in rows[1:] for name in re.findall(r"`(\w+)", row)]
    assert len(named) > 15
    for name in named:
        assert hasattr(ClaimsObservation, name), name


def _run() -> dict[str, Any]:
    """Run the README's blocks, one after the other, as a module that is not the program."""
    names: dict[str, Any] = {"__name__": "readme"}
    for block in BLOCKS:
        exec(compile(block, str(README), "exec"), names)  # noqa: S102 - our own README
    return names
