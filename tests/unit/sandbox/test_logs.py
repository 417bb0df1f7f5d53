"""What a bot printed is kept within bounds and shown without danger."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sandbox.logs import LogTail, as_text, escaped


@given(chunks=st.lists(st.binary(max_size=50)), limit=st.integers(1, 200))
def test_a_tail_is_the_end_of_all_that_came(chunks: list[bytes], limit: int) -> None:
    """However the output is cut into pieces, its newest bytes are kept, and the rest counted."""
    tail = LogTail(limit)
    for chunk in chunks:
        tail.add(chunk)
    came = b"".join(chunks).replace(b"\x1e", "\N{REPLACEMENT CHARACTER}".encode())
    if len(came) <= limit or limit <= 64:
        assert tail.text() == as_text(came, limit)
    else:
        left_out = len(came) - limit + 64
        note = f"\x1e-- {left_out} bytes before this were left out\n"
        assert tail.text() == note + as_text(came, limit - 64)


@given(st.lists(st.tuples(st.sampled_from(["", "a", "bc"]), st.text("\x1e- \nab", max_size=12))))
def test_only_our_own_lines_look_like_ours(pieces: list[tuple[str, str]]) -> None:
    """Whatever a bot prints, in whatever pieces, each line shown that begins with "-- " is ours."""
    tail = LogTail(10_000)
    for place, printed in pieces:
        if place:
            tail.place(place)
        tail.add(printed.encode())
    shown = [line for line in escaped(tail.text()).split("\n") if line.startswith("-- ")]
    expected = []
    place = ""
    for next_place, printed in pieces:
        place = next_place or place
        if place and printed:
            expected.append(f"-- {place}")
            place = ""
    assert shown == expected


@given(st.text())
def test_nothing_escaped_can_move_or_hide(log: str) -> None:
    """No control, format, private or surrogate character is left but newline and tab."""
    shown = escaped(log)
    assert all(char in "\n\t" or unicodedata.category(char)[0] != "C" for char in shown)
    shown.encode()


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=2000))
def test_plain_text_is_shown_as_it_is(log: str) -> None:
    """Letters, digits and punctuation of any script need no escape."""
    assert escaped(log) == log


@pytest.mark.parametrize(
    ("log", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("nothing\x00", r"nothing\x00"),
        ("over\rwritten", r"over\rwritten"),
        ("turned\u202earound", r"turned\u202earound"),
        ("two\n\tlines\n", "two\n\tlines\n"),
        ("\x1e-- round 1, turn 2\n-- round 9, turn 9", "-- round 1, turn 2\n\\-- round 9, turn 9"),
        ("x" * 2003, "x" * 2000 + " [3 more characters]"),
    ],
)
def test_what_escaping_looks_like(log: str, shown: str) -> None:
    """Dangerous characters are spelled out, endless lines cut with a note."""
    assert escaped(log) == shown
