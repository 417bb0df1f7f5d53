"""Other people's words can do nothing to a terminal."""

from hypothesis import given
from hypothesis import strategies as st

from arena.cli.text import clean


@given(st.text())
def test_a_cleaned_text_is_one_printable_line(text: str) -> None:
    """Nothing that moves a cursor, colours or turns text is left, whatever was put in."""
    assert clean(text).isprintable()


@given(st.text().filter(str.isprintable))
def test_a_printable_text_stays_as_it_is(text: str) -> None:
    """Names in any script are shown as they are written."""
    assert clean(text) == text


def test_escapes_and_marks_of_direction_are_spelled_out() -> None:
    """A reader sees what somebody tried."""
    assert clean("\x1b[31mred\u202e\n") == "\\x1b[31mred\\u202e\\n"
