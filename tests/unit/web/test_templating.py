"""What templates make of what they are given."""

from arena.web.templating import with_code


def test_code_in_a_sentence_is_shown_as_code() -> None:
    """And whatever bites is only words, within and beside it."""
    assert with_code("Run `arena bot check <x>` & see.") == (
        "Run <code>arena bot check &lt;x&gt;</code> &amp; see."
    )
    assert with_code("a ` alone <b>") == "a ` alone &lt;b&gt;"
