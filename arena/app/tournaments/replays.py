"""Replays from a file: found and checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.match import replay
from arena.match.replay import Line, ReplayError
from arena.match.verify import Verdict, verify

#: How a replay's file is named after its match.
SUFFIX = ".jsonl.zst"


@dataclass(frozen=True, slots=True)
class CheckedReplay:
    """A replay's lines and whether they hold; only the lines before a wrong one can be trusted."""

    lines: tuple[Line, ...]
    verdict: Verdict


def read_replay(path: Path) -> CheckedReplay:
    """Read and check a file; raises ``ReplayError`` where it is no replay at all."""
    if path.is_dir():
        raise ReplayError(f"{path} is a folder: name the replays in it, like {path}/*{SUFFIX}")
    return checked(replay.read(path))


def checked(lines: list[Line]) -> CheckedReplay:
    """Play lines again and say whether they hold."""
    return CheckedReplay(tuple(lines), verify(lines))
