"""What text the store takes."""

from __future__ import annotations

from arena.store.errors import InvalidRecord

_LONGEST_NAME = 200
_LONGEST_PLAIN = 4000


def checked(what: str, text: str) -> str:
    """`text` as it is. Raises InvalidRecord unless it is one printable line of 1 to 200 letters."""
    if 0 < len(text) <= _LONGEST_NAME and text.isprintable() and text == text.strip():
        return text
    raise InvalidRecord(
        f"{text[:_LONGEST_NAME]!a} is no {what} that the store can hold: use 1 to "
        f"{_LONGEST_NAME} printable characters without blanks at either end"
    )


def plain(text: str) -> str:
    """`text` made safe to keep, for words that may come from a bot.

    Never refused, since a bot must not be able to prevent that its match is recorded: what no
    database can hold (NUL, half characters) is replaced, and what is too long is cut.
    """
    kept = text.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
    return kept if len(kept) <= _LONGEST_PLAIN else f"{kept[: _LONGEST_PLAIN - 3]}..."
