"""Other people's words made safe for a terminal."""

from __future__ import annotations


def clean(value: object) -> str:
    r"""A text in one line in which nothing can move a cursor, colour or turn anything.

    Whatever is not printable, line feeds and marks of direction included, is spelled out:
    ``\x1b``, ``\u202e``.
    """
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in str(value)
    )
