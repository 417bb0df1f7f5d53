"""What every bench needs: samples taken by turns, their medians, and tables."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that was measured."""

    name: str
    median: float
    #: How many samples the median is of.
    n: int
    #: The median of the samples' ratios to the baseline's of the same round.
    ratio: float | None = None
    #: Beside it: other measures by name.
    more: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one unit; the first one is the baseline where there are ratios."""

    title: str
    unit: str
    rows: Sequence[Row]
    note: str = ""

    def text(self) -> str:
        """The table as plain text."""
        more = list(dict.fromkeys(name for row in self.rows for name in row.more or {}))
        lines = [["", self.unit, "ratio", *more, "n"]]
        for row in self.rows:
            ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
            values = row.more or {}
            others = [_number(values[name]) if name in values else "" for name in more]
            lines.append([row.name, _number(row.median), ratio, *others, str(row.n)])
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        drawn = [
            "  ".join(
                cell.ljust(width) if at == 0 else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        ]
        return "\n".join([self.title, *(f"  {line}" for line in drawn), *_indented(self.note)])

    def as_dict(self) -> dict[str, Any]:
        """The table for a machine."""
        return asdict(self)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _indented(note: str) -> list[str]:
    return [f"  {note}"] if note else []


def by_turns(sides: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Take one sample of each side in every round, after one round that does not count."""
    samples: dict[str, list[float]] = {name: [] for name in sides}
    for round_ in range(rounds + 1):
        for name, sample in sides.items():
            value = sample()
            if round_:
                samples[name].append(value)
    return samples


def rows(
    samples: Mapping[str, Sequence[float]], more: Mapping[str, Mapping[str, float]] | None = None
) -> list[Row]:
    """Medians, with ratios to the first side's sample of the same round."""
    base = next(iter(samples.values()))
    return [
        Row(
            name,
            statistics.median(values),
            len(values),
            statistics.median(mine / other for mine, other in zip(values, base, strict=True)),
            (more or {}).get(name),
        )
        for name, values in samples.items()
    ]


@contextmanager
def on_core(wanted: int) -> Iterator[None]:
    """Keep to one core, and what is started meanwhile too; with a single core, change nothing."""
    before = os.sched_getaffinity(0)
    cores = sorted(before)
    os.sched_setaffinity(0, {cores[wanted % len(cores)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
