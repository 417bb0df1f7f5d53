"""Rankings that outlive a process: files beside the store, from which they go on.

They hold nothing that can't be worked out again from the results. A file says from what its numbers
were made, and by which code; one that doesn't fit, or is damaged, is as good as none. Backups leave
them out.
"""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import structlog
import zstandard

from arena.store.files import replace_file

FORMAT: Final = "arena-ranking/1"
_ENDING: Final = ".ranking"
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Kept:
    """A ranking's numbers, and what says whether they still hold: anything that JSON can hold."""

    facts: Mapping[str, Any]
    columns: Mapping[str, array[int] | array[float]]


class RankingFiles:
    """The files of one store, by the rankings' names."""

    def __init__(self, folder: Path) -> None:
        """They lie in `folder`, which is made once there is something to keep."""
        self._folder = folder

    def names(self) -> list[str]:
        """The names of those there are."""
        return sorted(path.stem for path in self._folder.glob(f"*{_ENDING}"))

    def save(self, name: str, kept: Kept) -> None:
        """Keep it in place of an older one; if it can't be kept, it is worked out another time."""
        head = {
            "format": FORMAT,
            "code": _code(),
            "order": sys.byteorder,
            "facts": kept.facts,
            "columns": [
                [column, values.typecode, len(values)] for column, values in kept.columns.items()
            ],
        }
        parts = [json.dumps(head).encode(), b"\n", *map(bytes, kept.columns.values())]
        content = zstandard.ZstdCompressor(level=1, write_checksum=True).compress(b"".join(parts))
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            replace_file(self._folder / f"{name}{_ENDING}", content)
        except OSError as error:
            _log.warning("ranking not kept", name=name, why=str(error))

    def load(self, name: str) -> Kept | None:
        """What was kept under a name, if it is whole and this very code has made it."""
        try:
            content = (self._folder / f"{name}{_ENDING}").read_bytes()
            told, _, rest = zstandard.ZstdDecompressor().decompress(content).partition(b"\n")
            head = json.loads(told)
            known = (head["format"], head["code"], head["order"])
            if known != (FORMAT, _code(), sys.byteorder):
                return None
            return Kept(head["facts"], dict(_columns(head["columns"], rest)))
        except FileNotFoundError:
            return None
        except (OSError, zstandard.ZstdError, ValueError, KeyError, TypeError) as error:
            _log.warning("ranking thrown away", name=name, why=str(error))
            return None


def _columns(
    told: list[tuple[str, str, int]], content: bytes
) -> Iterator[tuple[str, array[int] | array[float]]]:
    start = 0
    for name, kind, length in told:
        values: array[int] | array[float] = array(kind)
        end = start + length * values.itemsize
        values.frombytes(content[start:end])
        yield name, values
        start = end
    if start != len(content):
        raise ValueError("it is longer or shorter than it says")


@cache
def _code() -> str:
    """Names the code that numbers come from: with another one they may be others."""
    told = hashlib.sha256()
    for room in ("arena.rating", "arena.app.rankings"):
        for file in sorted(files(room).iterdir(), key=lambda one: one.name):
            if file.name.endswith(".py"):
                told.update(file.read_bytes())
    return told.hexdigest()
