"""The pictures of Claim!'s rules show real positions, in both languages, and stand alone."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from arena.app.errors import WrongCall
from arena.app.pictures import LANGUAGES, PICTURES, claim_pictures, positions
from arena.app.rulebook import write_pictures
from arena.games.claim import PENALTY
from arenabot.cards import points

# The pictures are our own, so the parser that is not for strangers' XML will do.
# ruff: noqa: S314
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_five_pictures_and_each_says_what_it_shows(language: str) -> None:
    """Well-formed SVG with a title and a description."""
    pictures = claim_pictures(language)
    assert tuple(pictures) == PICTURES
    for svg in pictures.values():
        root = ET.fromstring(svg)
        assert root.tag == f"{SVG}svg"
        for needed in ("title", "desc"):
            told = root.find(f"{SVG}{needed}")
            assert told is not None
            assert told.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_needs_nothing_from_anywhere(language: str) -> None:
    """No script, no style, no address but the name of the format itself."""
    for svg in claim_pictures(language).values():
        plain = svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
        for word in ("http", "href", "script", "style", "url("):
            assert word not in plain


def test_the_pictures_are_the_same_each_time_they_are_drawn() -> None:
    """Positions are found by rule, not by chance."""
    assert claim_pictures("en") == claim_pictures("en")


def test_the_two_languages_differ_in_their_words_only() -> None:
    """The same numbers of everything drawn."""
    for name in PICTURES:
        drawn = [
            [element.tag for element in ET.fromstring(claim_pictures(language)[name]).iter()]
            for language in LANGUAGES
        ]
        assert drawn[0] == drawn[1]


@pytest.mark.parametrize("success", [True, False])
def test_the_scoring_shown_is_that_of_the_rules(success: bool) -> None:
    """Claim! 5: right adds 0, wrong a flat 50, the others add their hands."""
    shown = positions.claim(success=success)
    claimer = shown.end.claimer
    assert claimer is not None
    costs = [points(hand, shown.zero) for hand in shown.end.hands]
    others = [cost for seat, cost in enumerate(costs) if seat != claimer]
    assert (min(others) > costs[claimer]) is success
    costs[claimer] = 0 if success else PENALTY
    assert list(shown.end.points) == costs


def test_pictures_are_written_as_files_with_their_order_in_the_name(tmp_path: Path) -> None:
    """So that they sort as the rules go."""
    written = write_pictures("claim", "ro", tmp_path / "new")
    assert [path.name for path in written] == sorted(path.name for path in written)
    assert [path.read_text("utf-8") for path in written] == list(claim_pictures("ro").values())


def test_a_game_without_pictures_says_so(tmp_path: Path) -> None:
    """In one line."""
    with pytest.raises(WrongCall, match="only the rules of claim have pictures"):
        write_pictures("claro", None, tmp_path)
