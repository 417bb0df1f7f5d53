"""Whoever plays Claim! in Romanian reads nothing in English that the pages themselves say."""

from __future__ import annotations

import re
from pathlib import Path

from arena.web import failing
from arena.web.playing import words
from arena.web.words import speaker

TEMPLATES = Path(words.__file__).parents[1] / "templates"


def test_every_sentence_of_the_templates_is_spoken() -> None:
    """Whatever stands in `say`, and what the table itself is told by name."""
    say = speaker("ro")
    texts = {
        text
        for name in (
            "base.html",
            "parts.html",
            "play.html",
            "play_table.html",
            "play_replay.html",
            "failure.html",
        )
        for text in re.findall(r'say\("([^"]*)"', (TEMPLATES / name).read_text())
    }
    assert len(texts) > 40
    told = ("a", "b")
    same = {"Replay"}
    texts |= set(failing._HEADINGS.values())
    assert {text for text in texts if say(text, *told) == text.format(*told)} == same


def test_every_word_of_the_table_is_spoken() -> None:
    """All but what only another game says."""
    english, romanian = words.words("en", "claim"), words.words("ro", "claim")
    others = {key for key in english if re.search(r"\.(claims|claro)$", key)}
    same = {key for key in english if english[key] == romanian[key]} - others
    assert same <= CLARO_ONLY | ALIKE, same - CLARO_ONLY - ALIKE


def test_texts_have_the_same_holes() -> None:
    """Whatever is put into an English text is put into the Romanian one."""
    english, romanian = words.words("en", "claim"), words.words("ro", "claim")
    for key, text in english.items():
        assert set(re.findall(r"%\((\w+)\)s", text)) == set(
            re.findall(r"%\((\w+)\)s", romanian[key])
        ), key


ALIKE = {"total", "seed"}
#: What is said in Claro alone.
CLARO_ONLY = {
    "ask lead",
    "ask discard",
    "do play",
    "do play card",
    "do discard none",
    "do discard one",
    "do discard some",
    "or else discard",
    "you pass",
    "play",
    "pass",
    "star",
    "passed",
    "played_out",
    "discard",
    "discard none",
    "refill",
    "stars",
    "played",
    "discards",
    "has passed",
    "joker card",
    "with stars",
    "deck",
}
