"""Loads a trusted bot's class into this process, for matches without any sandbox."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from arenabot.bots import Bot


class NoBotFound(ValueError):
    """The file holds no bot for the game, or cannot be loaded; the text says which."""


@cache
def bot_class(folder: Path, entrypoint: str, game: str) -> type[Bot]:
    """Import ``entrypoint`` in ``folder`` and return the bot for ``game`` that it defines.

    Other modules of the bot are found in its folder while it is being imported, and are then
    forgotten, so that two bots may each have a ``strategy.py``.
    """
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        module = _load(folder / entrypoint)
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if Path(getattr(sys.modules[name], "__file__", None) or "/").is_relative_to(folder):
                del sys.modules[name]
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
        and getattr(value, "game", None) == game
    ]
    if not found:
        raise NoBotFound(f"{folder / entrypoint} defines no bot for the game {game}")
    # The last one is the finished one where a file derives one bot from another.
    return found[-1]


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bot_{abs(hash(path)):x}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise NoBotFound(f"{path} is no Python file, so it cannot be played without a sandbox")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise NoBotFound(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    return module
