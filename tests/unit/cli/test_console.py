"""Tables and documents show what they are given, and nothing that it asks for."""

import json

import pytest
from rich.text import Text

from arena.cli import console
from arena.cli.console import counted, faults_text, say, show_json, show_table, size_text


def test_a_cell_is_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    """A name that looks like Rich's markup or like an emoji's name is shown as it is."""
    show_table(("bot", "points>"), [("[bold]x[/bold] :boom:", 3)])
    assert "[bold]x[/bold] :boom:" in capsys.readouterr().out


def test_a_cell_and_a_heading_cannot_hold_an_escape(capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters are spelled out wherever they come from."""
    show_table(("bot", "x\x1b[2J>"), [("\x1b]0;title\x07", "a\nb")], title="t\x1bt")
    say("line\x1b[1m")
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "\\x1b]0;title\\x07" in out


def test_numbers_stand_to_the_right_and_nothing_is_a_dash(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A column whose heading ends in > is for numbers; a missing value is shown as such."""
    show_table(("n>", "what"), [(1, None), (100, "x"), (2.5, Text("y"))])
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert lines[2:] == ["   1  -", " 100  x", "2.50  y"]


def test_a_document_is_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON holds everything and no terminal can be fooled by it."""
    show_json({"log": "\x1b[31m\u202eé"})
    out = capsys.readouterr().out
    assert out.isascii()
    assert "\x1b" not in out
    assert json.loads(out) == {"log": "\x1b[31m\u202eé"}


def test_words_for_numbers() -> None:
    """One match, two matches, thousands apart; the most frequent fault first."""
    assert counted(1, "match", "matches") == "1 match"
    assert counted(2000, "bot") == "2,000 bots"
    assert faults_text(["A", "B", "B"]) == "2 B, 1 A"
    assert size_text(None) is None
    assert size_text(3 * 1024**2) == "3.0 MiB"


def test_a_table_too_wide_for_its_screen_is_not_cut(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names, numbers and headings stay whole: the terminal wraps what it has no room for."""
    monkeypatch.setattr(console, "_WIDE", 30)
    show_table(("bot", "score>", "why"), [("a-name-of-some-length", 12345.678, "one two three")])
    out = capsys.readouterr().out
    assert "a-name-of-some-length" in out
    assert "12345.68" in out
    assert "score" in out
    assert "…" not in out
