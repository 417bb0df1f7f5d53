"""The package's face: every public name is found, and nothing is loaded before it is needed."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import arenabot

SOURCE = Path(str(arenabot.__file__)).read_text("utf-8")


def test_all_names_their_homes_and_the_type_checkers_imports_agree() -> None:
    """Three lists of the same names; a name missing in one would work here and fail there."""
    homes = {(home, name) for home, names in arenabot._HOMES.items() for name in names}
    checked = {
        (str(node.module).removeprefix("arenabot."), alias.name)
        for block in ast.parse(SOURCE).body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert homes == checked
    assert {name for _, name in homes} == set(arenabot.__all__)
    assert len(arenabot.__all__) == len(set(arenabot.__all__))


@pytest.mark.parametrize("name", arenabot.__all__)
def test_every_public_name_is_its_homes_own(name: str) -> None:
    """Found through the package, it is the object of the module that defines it."""
    home = importlib.import_module(f"arenabot.{arenabot._HOME_OF[name]}")
    assert getattr(arenabot, name) is getattr(home, name)


def test_no_public_name_is_that_of_a_module() -> None:
    """Importing the module would put itself in the name's place."""
    modules = {found.name for found in pkgutil.iter_modules(arenabot.__path__)}
    assert not modules & set(arenabot.__all__)


def test_an_unknown_name_is_an_attribute_error_that_names_it() -> None:
    """As for any module."""
    with pytest.raises(AttributeError, match="module 'arenabot' has no attribute 'Cards'"):
        arenabot.Cards  # noqa: B018 - the look-up is what is tried


def loaded_by(statement: str) -> set[str]:
    """What a fresh interpreter has loaded after ``statement``, beyond what it starts with."""
    script = (
        "import sys; before = set(sys.modules)\n"
        f"{statement}\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=60
    )
    return set(done.stdout.split())


NOT_THERE = {"grpc", "google.protobuf", "asyncio", "pydantic", "sqlalchemy", "arena", "numpy"}


@pytest.mark.parametrize(
    "statement",
    [
        "import arenabot",
        "import arenabot.cards",
        "from arenabot import CLAIM, Card, ClaimsBot, ClaimsObservation, Burn, burn",
        "import arenabot.testing",
    ],
)
def test_the_vocabulary_comes_without_grpc(statement: str) -> None:
    """Neither it nor asyncio nor anything of the arena is loaded by it."""
    loaded = loaded_by(statement)
    assert "arenabot" in loaded
    assert not loaded & NOT_THERE


def test_the_server_brings_grpc() -> None:
    """Or the test above would see nothing."""
    assert {"grpc", "asyncio"} <= loaded_by("import arenabot.server")


def test_the_rules_load_nothing_but_the_vocabulary() -> None:
    """No clock, no network, no database: games is a pure room."""
    loaded = loaded_by("import arena.games")
    assert "arena.games.claims" in loaded
    assert not loaded & (NOT_THERE - {"arena"})
    rooms = {name.split(".")[1] for name in loaded if name.startswith("arena.")}
    assert rooms == {"games"}
