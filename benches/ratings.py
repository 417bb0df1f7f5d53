"""Ratings: an update in plain floats beside the package's, and a ladder of 100,000 matches that
takes in one more block beside one worked out anew."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from arena.rating import ByMatch, Ladder, MatchResult, PackageRater, TrueSkillRater, standings
from arena.schedule import Block, plan
from benches._harness import Row, Table, by_turns, rows
from benches.fairness import Simulation, World, field_of

_ROUNDS = 5
_FIELD, _SEATS = 32, 4
_MATCHES = 100_000
#: Matches of one sample of updates.
_UPDATES = 200


def bench() -> Iterator[Table]:
    """Updates at tables of four, then the ladder."""
    field = Simulation(field_of(_FIELD, 0.1, "bench"), World(luck=0.1, draws=0.005), "bench")
    tables = plan(_FIELD, _SEATS, blocks=1000, seed=b"").blocks
    blocks = [
        field.block(Block(index, tables[index % len(tables)].order))
        for index in range(_MATCHES // _SEATS + _ROUNDS)
    ]
    results = [result for block in blocks[:-_ROUNDS] for result in block]
    yield _updates(results[:_UPDATES])
    yield _ladder(results, blocks[-_ROUNDS:])


def _updates(results: list[MatchResult]) -> Table:
    def rated_by(rater: type[TrueSkillRater | PackageRater]) -> Callable[[], float]:
        return lambda: _took(lambda: standings(results, learner=ByMatch(rater()))) / len(results)

    sides = {"package": rated_by(PackageRater), "plain floats": rated_by(TrueSkillRater)}
    samples = by_turns(sides, _ROUNDS)
    in_us = {name: [1e6 * one for one in values] for name, values in samples.items()}
    return Table("one TrueSkill update at a table of four, CPU time", "µs", rows(in_us))


def _ladder(results: list[MatchResult], more: list[list[MatchResult]]) -> Table:
    ladder = Ladder()
    anew = _took(lambda: ladder.extend(results)) + _took(ladder.standings)
    extended = [
        1e3 * (_took(partial(ladder.extend, block)) + _took(ladder.standings)) for block in more
    ]
    return Table(
        f"standings of {_FIELD} entries after {_MATCHES:,} matches, CPU time",
        "ms",
        [
            Row("worked out anew", 1e3 * anew, 1),
            Row("one more block", statistics.median(extended), len(extended)),
        ],
        "aim: one more block within 50 ms",
    )


def _took(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
