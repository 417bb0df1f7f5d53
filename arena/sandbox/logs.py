r"""What a bot printed: kept within bounds, shown without danger.

Lines of the arena's own tell where in a match something was printed: "-- round 3, turn 2". In the
raw log they begin with the control character U+001E, which is replaced in what bots print; where a
log is shown, a line of the bot's that begins like one of ours gets a backslash in front.
"""

from typing import Final

_LONGEST_LINE: Final = 2000
_OURS: Final = "\x1e"
_MARK: Final = "-- "
_NOTE: Final = 64
"""Bytes that make room for the note on what was dropped."""
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


class LogTail:
    """Keeps the newest bytes of an output of any length."""

    def __init__(self, limit: int) -> None:
        """`limit` in bytes."""
        self._limit = limit
        self._kept = bytearray()
        self._dropped = 0
        self._place = ""

    def add(self, data: bytes) -> None:
        """Take in more output."""
        if not data:
            return
        if self._place:
            between = b"" if not self._kept or self._kept.endswith(b"\n") else b"\n"
            self._kept += between + _line(self._place)
            self._place = ""
        self._kept += plain(data)
        if (extra := len(self._kept) - self._limit) > 0:
            self._dropped += extra
            del self._kept[:extra]

    def place(self, name: str) -> None:
        """Say where what comes next belongs; a place at which nothing is printed leaves no line."""
        self._place = name

    def text(self) -> str:
        """What is kept, as text of at most the limit's bytes; what was dropped is counted."""
        if not self._dropped or self._limit <= _NOTE:
            return as_text(bytes(self._kept), self._limit)
        kept = bytes(self._kept[_NOTE:])
        note = _line(f"{self._dropped + _NOTE} bytes before this were left out")
        return note.decode() + as_text(kept, self._limit)


def _line(text: str) -> bytes:
    return f"{_OURS}{_MARK}{text}\n".encode()


def plain(data: bytes) -> bytes:
    """What a bot printed without what only lines of the arena's own may hold."""
    return data.replace(_OURS.encode(), _REPLACEMENT.encode())


def as_text(data: bytes, limit: int) -> str:
    """The newest `limit` bytes as text; what isn't UTF-8 becomes U+FFFD."""
    return data[-limit:].decode(errors="replace")


def escaped(log: str) -> str:
    r"""A log that can be shown anywhere: control and invisible characters as `\x1b`, lines cut.

    Whatever could move a cursor, colour a terminal or turn the direction of text is spelled out;
    newlines and tabs stay. A line of more than 2,000 characters is cut with a note. Only lines of
    the arena's own begin with "-- ".
    """
    return "\n".join(_escaped_line(line) for line in log.split("\n"))


def _escaped_line(line: str) -> str:
    if line.startswith(_OURS + _MARK):
        line = line.removeprefix(_OURS)
    elif line.startswith(_MARK):
        line = "\\" + line
    cut = len(line) - _LONGEST_LINE
    shown = "".join(
        char if char.isprintable() or char == "\t" else char.encode("unicode_escape").decode()
        for char in line[:_LONGEST_LINE]
    )
    return f"{shown} [{cut} more characters]" if cut > 0 else shown
