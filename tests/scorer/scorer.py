"""The separate scorer: does a replay follow from its seed and the rules of the game?

It shares no code with the arena, so that the engine and the replay verifier don't only agree
with themselves: written from the rule texts, RULINGS and the format `arena-replay/1` alone, with
nothing but the standard library and zstandard. It re-derives deals, reshuffles, default moves,
the legality of every action, points, totals, end reasons and ranks.

    python tests/scorer/scorer.py FILE...

prints a line for each file (.jsonl or .jsonl.zst) and exits 1 if any of them doesn't hold.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import zstandard
from scorer_burning import check_burning
from scorer_claro_replay import check_claro
from scorer_lines import Line, Lines, Refused
from scorer_match import Tally, read_header

__all__ = ["Verdict", "read", "score"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the scorer found.

    Where the replay doesn't hold, `line` (from 1) is the first line that doesn't, and `reason`
    says why; the rest is what was derived up to there. `ranks` and `winners` are None unless the
    match was derived to its end. Totals are stars in Claro.
    """

    ok: bool
    line: int | None
    reason: str | None
    game: str | None
    rounds: int
    turns: int
    totals: list[int]
    ranks: list[int] | None
    winners: list[int] | None

    def __str__(self) -> str:
        if not self.ok:
            return f"line {self.line}: {self.reason}"
        totals, ranks = ",".join(map(str, self.totals)), ",".join(map(str, self.ranks or []))
        counted = f"{self.rounds} rounds, {self.turns} turns"
        return f"{self.game}: {counted}, totals {totals}, ranks {ranks}"


def score(lines: Iterable[Line]) -> Verdict:
    """Derive the match again from the header's seed and the decisions, and compare each line."""
    replay, tally = Lines(lines), Tally()
    try:
        header = read_header(replay, tally)
        check = check_claro if header.chance.game == "claro" else check_burning
        check(replay, header, tally)
    except Refused as refusal:
        return _verdict(tally, replay.number, str(refusal))
    return _verdict(tally, None, None)


def read(path: str | Path) -> Iterator[Line]:
    """The lines of a replay file, zstd-compressed if its name ends in .zst.

    Raises OSError where the file can't be read, and, at the line concerned, Refused where what
    it holds is not a replay.
    """
    with Path(path).open("rb") as file:
        if Path(path).suffix == ".zst":
            reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
            yield from _objects(io.BufferedReader(reader))
        else:
            yield from _objects(file)


def _objects(raw_lines: Iterable[bytes]) -> Iterator[Line]:
    try:
        for raw in raw_lines:
            yield json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise Refused(f"the line is not JSON: {error}") from error
    except zstandard.ZstdError as error:
        raise Refused(f"the file can't be decompressed: {error}") from error


def _verdict(tally: Tally, line: int | None, reason: str | None) -> Verdict:
    ranks = tally.ranks
    winners = None if ranks is None else [seat for seat, rank in enumerate(ranks) if rank == 1]
    totals = list(tally.totals)
    counts = (tally.game, tally.rounds, tally.turns, totals)
    return Verdict(reason is None, line, reason, *counts, ranks, winners)


def main(files: list[str]) -> int:
    """Score every file; the exit code."""
    if not files:
        print("usage: python scorer.py FILE...", file=sys.stderr)
        return 2
    failed = 0
    for file in files:
        try:
            verdict = score(read(file))
            ok, shown = verdict.ok, str(verdict)
        except OSError as error:
            ok, shown = False, f"can't be read: {error.strerror}"
        failed += not ok
        print(f"{'ok  ' if ok else 'FAIL'} {file}: {shown}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
