"""What templates make of what they are given."""

from arena.web.templating import told


def test_code_in_a_sentence_is_shown_as_code() -> None:
    """And whatever bites is only words, within and beside it."""
    assert told("Run `arena bot check <x>` & see.") == (
        "Run <code>arena bot check &lt;x&gt;</code> &amp; see."
    )
    assert told("a ` alone <b>") == "a ` alone &lt;b&gt;"
