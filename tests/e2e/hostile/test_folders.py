"""Misbehaving bots are submissions like any other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from arena.submissions import check
from sample_bots.misbehaving.pack import HERE, names, pack
from tests.e2e.hostile.expecting import load

NAMES = names()


def test_there_are_enough_of_them() -> None:
    """Sixty or more."""
    assert len(NAMES) >= 60


@pytest.mark.parametrize("name", NAMES)
def test_each_can_be_submitted_and_says_what_it_does(name: str, tmp_path: Path) -> None:
    """A packed folder is a submission, its code begins with words, an expectation is there."""
    submission = check(pack(name, tmp_path / name))
    assert submission.manifest.name == name.replace("_", "-")
    assert ast.get_docstring(ast.parse(submission.content("bot.py")))
    assert load(HERE / name).verdict
