"""What a person types about a game becomes options and a seed, or is refused in words."""

import json
from pathlib import Path

import pytest

from arena.app.errors import ArenaError, WrongCall
from arena.app.options import any_seed, fresh_seed, game_of, given_options, secret_seed
from arenabot.claro.cards import deck_contents


def test_numbers_are_numbers_and_words_are_words() -> None:
    """The game itself says what it takes."""
    assert given_options(["target=150", "x=-3", "y=abc", "z="]) == {
        "target": 150,
        "x": -3,
        "y": "abc",
        "z": "",
    }


@pytest.mark.parametrize("given", [["target"], ["=3"], ["target=1", "target=2"]])
def test_what_is_no_pair_or_comes_twice_is_a_wrong_call(given: list[str]) -> None:
    """Each option is written once, as name=value."""
    with pytest.raises(WrongCall):
        given_options(given)


def test_a_deck_is_read_from_its_file(tmp_path: Path) -> None:
    """Claro's deck is given as a path, and the game gets what the file holds."""
    path = tmp_path / "deck.json"
    path.write_text(json.dumps(deck_contents()))
    options = game_of("claro").options(given_options([f"deck={path}"]))
    assert options.as_dict() == {"deck": None}  # the standard one
    path.write_text("{")
    with pytest.raises(ArenaError, match="not JSON"):
        given_options([f"deck={path}"])
    with pytest.raises(ArenaError, match="cannot be read"):
        given_options([f"deck={tmp_path}"])


def test_a_tournaments_seed_is_long_enough_not_to_be_guessed() -> None:
    """Only 64 hex digits will do; matches that decide nothing take any text."""
    digits = "0123456789abcDEF" * 4
    assert secret_seed(digits) == any_seed(digits) == bytes.fromhex(digits)
    for short in ("7", digits[:-1], digits + "0", "g" * 64):
        with pytest.raises(WrongCall):
            secret_seed(short)
    assert len(any_seed("7")) == 32
    assert any_seed("7") == any_seed("7") != any_seed("8")


def test_an_empty_seed_is_a_wrong_call() -> None:
    """Whoever's script lost its seed is told so."""
    with pytest.raises(WrongCall, match="empty"):
        any_seed("")


def test_a_fresh_seed_is_never_the_same() -> None:
    """Nobody can know it."""
    assert len({fresh_seed() for _ in range(10)}) == 10
