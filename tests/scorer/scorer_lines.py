"""The lines of a replay, taken one after the other, and what it means that one doesn't hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

Line = Mapping[str, object]


class Refused(Exception):
    """Something that the replay says does not follow from the seed and the rules."""


class Lines:
    """A replay's lines in order; `number` is the line looked at last, counted from 1."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = iter(lines)
        self._ahead: Line | None = None
        self._looked = False
        self.number = 0

    def peek(self) -> Line:
        """The next line, still to be taken; an empty one at the end."""
        return self._look() or {}

    def take(self, kind: str, because: str = "") -> Line:
        """The next line, which must be of this type; `because` says why it should come here."""
        line = self._look()
        self._looked = False
        why = f" ({because})" if because else ""
        if line is None:
            raise Refused(f"the replay ends where a {kind} line should be{why}")
        found = text(line, "type")
        if found != kind:
            raise Refused(f"a {found} line where a {kind} line should be{why}")
        return line

    def finish(self) -> None:
        """Refuse anything that follows the last line."""
        if self._look() is not None:
            raise Refused("the match is over, nothing may follow the result")

    def _look(self) -> Line | None:
        if not self._looked:
            self.number += 1
            self._looked = True
            self._ahead = next(self._lines, None)
            if self._ahead is not None and not isinstance(self._ahead, Mapping):
                raise Refused("the line is not an object")
        return self._ahead


def require(line: Line, key: str, expected: object) -> None:
    """Refuse the line unless it says exactly this: a missing key is null, true is not 1."""
    difference = _difference(key, line.get(key), expected)
    if difference:
        raise Refused(difference)


def integer(line: Line, key: str) -> int:
    """The integer under this key; booleans and floats are refused."""
    value = line.get(key)
    if type(value) is not int:
        raise Refused(f"{key} is {_shown(value)}, not an integer")
    return value


def text(line: Line, key: str) -> str:
    """The string under this key."""
    value = line.get(key)
    if not isinstance(value, str):
        raise Refused(f"{key} is {_shown(value)}, not a string")
    return value


def strings(line: Line, key: str) -> list[str]:
    """The list of strings (cards, mostly) under this key."""
    return _strings(key, line.get(key))


def hands_of(line: Line) -> list[list[str]]:
    """The list of hands of a line."""
    return [_strings("hands", hand) for hand in items(line, "hands")]


def items(line: Line, key: str) -> list[object]:
    """The list under this key."""
    value = line.get(key)
    if not isinstance(value, list):
        raise Refused(f"{key} is {_shown(value)}, not a list")
    return value


def mapping(line: Line, key: str) -> Line:
    """The object under this key."""
    value = line.get(key)
    if not isinstance(value, Mapping):
        raise Refused(f"{key} is {_shown(value)}, not an object")
    return value


def default_kind(line: Line) -> str | None:
    """The fault for which the default move stood in, None where the seat's own move was played.

    A line has a fault exactly where `default` is true (X4, DESIGN's replay format).
    """
    default, fault = line.get("default"), line.get("fault")
    if not isinstance(default, bool):
        raise Refused(f"default is {_shown(default)}, neither true nor false")
    if not default:
        if fault is not None:
            raise Refused(f"fault is {_shown(fault)} though the seat's own move was played")
        return None
    if not isinstance(fault, str) or not fault:
        raise Refused(f"fault is {_shown(fault)}, but a default move needs a reason")
    return fault


def _strings(key: str, value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Refused(f"{key} is {_shown(value)}, not a list of cards")
    return value


def _difference(name: str, found: object, expected: object) -> str | None:
    """Where the two part, None if nowhere; in lists of one length, the first item that does."""
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        pairs = enumerate(zip(found, expected, strict=True))
        differences = (_difference(f"{name}[{i}]", ours, theirs) for i, (ours, theirs) in pairs)
        return next(filter(None, differences), None)
    if type(found) is type(expected) and found == expected:
        return None
    return f"{name} is {_shown(found)}, should be {_shown(expected)}"


def _shown(value: object) -> str:
    shown = json.dumps(value, default=str)
    return shown if len(shown) <= 100 else shown[:97] + "..."
