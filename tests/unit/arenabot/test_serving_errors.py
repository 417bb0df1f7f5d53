"""How an error in a bot's code is told in one line."""

from __future__ import annotations

import pytest

from arenabot.driver import MAX_ERROR, brief, told


class Broken(Exception):
    """Cannot even say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("no such card"), "ValueError: no such card"),
        (KeyError("x"), "KeyError: 'x'"),
        (RuntimeError(), "RuntimeError"),
        (Broken(), "Broken"),
        (ValueError("two\nlines\tand \x1b[31mred\x00"), "ValueError: two lines and  [31mred"),
    ],
)
def test_an_error_is_its_name_and_text(error: Exception, line: str) -> None:
    """On one line, with nothing in it that a terminal would obey."""
    assert told(error) == line


@pytest.mark.parametrize("length", [0, 1, MAX_ERROR, MAX_ERROR + 1, 10**6])
def test_a_line_has_its_limit(length: int) -> None:
    """Longer ones are cut, and say so."""
    line = brief("x" * length)
    assert len(line) == min(length, MAX_ERROR)
    assert line.endswith("...") == (length > MAX_ERROR)
