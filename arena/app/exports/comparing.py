"""Comparing what somebody wrote with what it should be."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

_LONGEST: Final = 80


class Wrong(Exception):
    """Something does not hold; the text says what."""


def require(holds: bool, wrong: str) -> None:
    """Raise Wrong unless it holds."""
    if not holds:
        raise Wrong(wrong)


def same(written: Any, told: Any, where: str) -> None:
    """Compare two documents to the last letter; raise Wrong with the first difference."""
    if _text(written) == _text(told):
        return
    if isinstance(written, Mapping) and isinstance(told, Mapping):
        for key in [*written, *(key for key in told if key not in written)]:
            if key not in told or key not in written:
                raise Wrong(f"{where} {key} {'is missing' if key in written else 'is too much'}")
            same(written[key], told[key], f"{where} {key}")
    if isinstance(written, list) and isinstance(told, list) and len(written) == len(told):
        for number, (one, other) in enumerate(zip(written, told, strict=True)):
            same(one, other, f"{where} [{number}]")
    raise Wrong(f"{where} is {_short(told)}, but should be {_short(written)}")


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
