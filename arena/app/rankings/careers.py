"""What a bot's matches tell of it: against whom, from where, with which faults, how fast."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from arena.match import replay
from arena.match.replay import ReplayError
from arena.store import NotFound, Store
from arena.store.careers import Appearance

MOST: Final = 500
"""From how many matches, the newest ones, all figures are."""

_REPLAYS: Final = 8
"""From how many replays, the newest ones, the times of moves are."""

STEPS: Final = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000)
"""The upper ends of the classes of move times, in milliseconds; slower ones are in one more."""

_DECISIONS: Final = {"turn", "play", "pass", "discard"}


@dataclass(slots=True)
class Record:
    """How often it met others at a table, how often it ended before them, ties half."""

    matches: int = 0
    met: int = 0
    beaten: float = 0.0
    ranks: int = 0

    @property
    def share(self) -> float:
        """What share of those it met it has beaten."""
        return self.beaten / self.met if self.met else 0.0

    @property
    def mean_rank(self) -> float:
        """Where it ended, on average."""
        return self.ranks / self.matches

    def add(self, rank: int, others: Iterable[int]) -> None:
        """Take in a match, or a part of its table."""
        self.matches += 1
        self.ranks += rank
        for other in others:
            self.met += 1
            self.beaten += 0.5 if rank == other else rank < other


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault: how often, in how many matches, and what was said of it last."""

    kind: str
    count: int
    matches: int
    example: Appearance


@dataclass(frozen=True, slots=True)
class Times:
    """How long moves took, in milliseconds, by the classes of `STEPS`."""

    counts: tuple[int, ...]
    moves: int
    median: float
    slowest: float
    #: From how many replays.
    replays: int


@dataclass(frozen=True, slots=True)
class Career:
    """All of that."""

    #: The newest first.
    matches: Sequence[Appearance]
    opponents: dict[tuple[str, int], Record]
    seats: dict[int, Record]
    table_sizes: dict[int, Record]
    faults: Sequence[Fault]
    outcomes: Counter[str]
    #: None where nobody knows, since no replay is released yet.
    times: Times | None


def career(store: Store, matches: Sequence[Appearance]) -> Career:
    """Look at some matches of a bot, the newest first."""
    opponents: dict[tuple[str, int], Record] = defaultdict(Record)
    seats: dict[int, Record] = defaultdict(Record)
    sizes: dict[int, Record] = defaultdict(Record)
    for each in matches:
        ranks = [fellow.rank for fellow in each.fellows]
        seats[each.seat].add(each.rank, ranks)
        sizes[each.table_size].add(each.rank, ranks)
        for fellow in each.fellows:
            opponents[fellow.bot, fellow.version].add(each.rank, [fellow.rank])
    return Career(
        matches=matches,
        opponents=dict(sorted(opponents.items(), key=lambda item: -item[1].met)),
        seats=dict(sorted(seats.items())),
        table_sizes=dict(sorted(sizes.items())),
        faults=_faults(matches),
        outcomes=Counter(each.outcome for each in matches),
        times=_times(store, matches),
    )


def _faults(matches: Sequence[Appearance]) -> list[Fault]:
    counts: Counter[str] = Counter()
    within: dict[str, list[Appearance]] = defaultdict(list)
    for each in matches:
        kinds = Counter(fault.kind for fault in each.faults)
        counts += kinds
        for kind in kinds:
            within[kind].append(each)
    return [
        Fault(kind, count, len(within[kind]), within[kind][0])
        for kind, count in counts.most_common()
    ]


def _times(store: Store, matches: Sequence[Appearance]) -> Times | None:
    """How long each move took, in the newest replays that may be seen."""
    spent: list[float] = []
    read = 0
    newest = matches[: 4 * _REPLAYS]
    released = store.careers.released([each.at for each in newest])
    for each in newest:
        if read == _REPLAYS:
            break
        if each.at in released:
            # A replay may be kept no longer, and one that is damaged is told of where it is shown.
            with suppress(NotFound, ReplayError):
                spent += _spent(store.blob(each.replay), each.seat)
                read += 1
    if not spent:
        return None
    spent.sort()
    counts = Counter(bisect_right(STEPS, took) for took in spent)
    return Times(
        counts=tuple(counts[at] for at in range(len(STEPS) + 1)),
        moves=len(spent),
        median=spent[len(spent) // 2],
        slowest=spent[-1],
        replays=read,
    )


def _spent(content: bytes, seat: int) -> list[float]:
    return [
        float(line["measured"]["charged_ms"])
        for line in replay.unpack(content, having=b'"seat":%d' % seat)
        if line.get("type") in _DECISIONS
        and line.get("seat") == seat
        and isinstance(line.get("measured"), dict)
        and "charged_ms" in line["measured"]
    ]
