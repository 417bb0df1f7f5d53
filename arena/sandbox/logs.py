"""What a bot printed: kept within bounds, shown without danger."""

from typing import Final

_LONGEST_LINE: Final = 2000


class LogTail:
    """Keeps the newest bytes of an output of any length."""

    def __init__(self, limit: int) -> None:
        """`limit` in bytes."""
        self._limit = limit
        self._kept = bytearray()

    def add(self, data: bytes) -> None:
        """Take in more output."""
        self._kept += data
        del self._kept[: -self._limit]

    def text(self) -> str:
        """What is kept, as text."""
        return as_text(bytes(self._kept), self._limit)


def as_text(data: bytes, limit: int) -> str:
    """The newest `limit` bytes as text; what isn't UTF-8 becomes U+FFFD."""
    return data[-limit:].decode(errors="replace")


def escaped(log: str) -> str:
    r"""A log that can be shown anywhere: control and invisible characters as `\x1b`, lines cut.

    Whatever could move a cursor, colour a terminal or turn the direction of text is spelled out;
    newlines and tabs stay. A line of more than 2,000 characters is cut with a note.
    """
    return "\n".join(_escaped_line(line) for line in log.split("\n"))


def _escaped_line(line: str) -> str:
    cut = len(line) - _LONGEST_LINE
    shown = "".join(
        char if char.isprintable() or char == "\t" else char.encode("unicode_escape").decode()
        for char in line[:_LONGEST_LINE]
    )
    return f"{shown} [{cut} more characters]" if cut > 0 else shown
