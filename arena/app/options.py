"""A game's options and a seed, from what a person types."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.app.errors import ArenaError, WrongCall
from arena.games import GAMES, Game
from arena.games.chance import SEED_BYTES

_HEX_SEED = re.compile(rf"[0-9a-fA-F]{{{2 * SEED_BYTES}}}")


def game_of(name: str) -> Game:
    """The game of that id; ``WrongCall`` names the ones there are."""
    known = GAMES.get(name)
    if known is None:
        raise WrongCall(f"there is no game {name!r}; there are: {', '.join(GAMES)}")
    return known


def given_options(given: Sequence[str]) -> dict[str, Any]:
    """Read ``name=value`` pairs; whether the game has them is for the game to say.

    ``deck`` is the path of a deck file (Claro 1), and is read here.
    """
    options: dict[str, Any] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not (name and equals):
            raise WrongCall(f"an option is written name=value, like target=150, not {pair!r}")
        if name in options:
            raise WrongCall(f"the option {name} is given twice")
        options[name] = _deck(Path(value)) if name == "deck" else _value(value)
    return options


def _value(text: str) -> Any:
    """A whole number where it is one; the game says what else it takes."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else text


def _deck(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ArenaError(f"the deck file {path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ArenaError(f"the deck file {path} is not JSON: {error}") from None


def fresh_seed() -> bytes:
    """A seed that nobody can guess."""
    return secrets.token_bytes(SEED_BYTES)


def secret_seed(text: str) -> bytes:
    """A tournament's seed: 64 hex digits, since the deals of a short one could be guessed."""
    if not _HEX_SEED.fullmatch(text):
        raise WrongCall(f"a tournament's seed is {2 * SEED_BYTES} hex digits")
    return bytes.fromhex(text)


def any_seed(text: str) -> bytes:
    """A seed for matches that decide nothing: 64 hex digits, or any text, which is hashed."""
    if not text:
        raise WrongCall("a seed is empty: give any text, or leave --seed out for chance")
    if _HEX_SEED.fullmatch(text):
        return bytes.fromhex(text)
    return hashlib.sha256(os.fsencode(text)).digest()
