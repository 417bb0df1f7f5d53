"""Every example in the docstrings of the SDK and of the rules is run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import arena.games
import arenabot

MODULES = [
    found.name
    for package in (arenabot, arena.games)
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not found.name.startswith("arenabot.v1")
] + ["arenabot", "arena.games"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name: str) -> None:
    """What a docstring shows after >>> is what comes out."""
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert results.failed == 0


def test_there_are_examples() -> None:
    """The test above would not notice if nothing was found."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for name in MODULES for test in finder.find(importlib.import_module(name))]
    assert sum(len(test.examples) for test in found) >= 10
