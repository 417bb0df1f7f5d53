"""Ways to run a tournament and to order its field.

A way yields the order that it sees at each of some marks, which are numbers of matches played.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.rating import ByMatch, Ladder, Learner, MatchResult, TrueSkillRater
from arena.rating.evidence import Evidence
from arena.rating.separation import separate
from arena.schedule import Block, plan
from arena.schedule.adaptive import Gap, first_wave, next_wave

Order = tuple[int, ...]
Marks = Sequence[int]


class Field(Protocol):
    """A field that plays whatever it is told to, simulated or played before."""

    @property
    def right_order(self) -> Order:
        """The entries from the strongest to the weakest."""

    def block(self, block: Block) -> list[MatchResult]:
        """The matches of a block, all on equal deals."""

    def match(self, place: int, seating: tuple[int, ...]) -> MatchResult:
        """One match on a deal of its own."""


def as_peers_do(drift: float = 25 / 300) -> Learner:
    """TrueSkill as the package comes, ties and drift assumed: an update a match."""
    return ByMatch(TrueSkillRater(draw_probability=0.1, drift=drift))


def random_tables(
    field: Field, seats: int, marks: Marks, seed: str, learner: Callable[[], Learner] = as_peers_do
) -> Iterator[Order]:
    """Tables drawn at random, each match on its own deal, rated in order of arrival."""
    chance = random.Random(f"{seed}|tables")
    entries = range(len(field.right_order))
    ladder = Ladder(entries=entries, learner=learner())
    played = 0
    for mark in marks:
        while played < mark:
            played += 1
            ladder.extend([field.match(played, tuple(chance.sample(entries, seats)))])
        yield _order(ladder)


def our_blocks(
    field: Field,
    seats: int,
    marks: Marks,
    seed: str,
    learner: Callable[[], Learner] = lambda: ByMatch(TrueSkillRater()),
) -> Iterator[Order]:
    """Our fixed schedule in blocks, rated in its order."""
    entries = len(field.right_order)
    ladder = Ladder(entries=range(entries), learner=learner())
    blocks = iter(plan(entries, seats, blocks=-(-marks[-1] // seats), seed=seed.encode()).blocks)
    played = 0
    for mark in marks:
        while played < mark:
            results = field.block(next(blocks))
            ladder.extend(results)
            played += len(results)
        yield _order(ladder)


@dataclass(frozen=True, slots=True)
class Wave:
    """How far an adaptive tournament is after a wave."""

    matches: int
    order: Order
    #: Whether all of the order is proven, so that it stops.
    clear: bool
    #: Neighbours that are called separated but stand the wrong way round.
    wrong: int


def adaptive(field: Field, seats: int, most: int, seed: str, confidence: float) -> Iterator[Wave]:
    """Our adaptive schedule, wave by wave, until all neighbours are separated or `most` matches."""
    entries = len(field.right_order)
    place = {entry: number for number, entry in enumerate(field.right_order)}
    evidence = Evidence(entries)
    budget = -(-most // seats)
    past: list[Block] = []
    wave = first_wave(entries, seats, most=budget, seed=seed.encode())
    while wave:
        for block in wave:
            evidence.add(field.block(block))
        past += wave
        found = separate(evidence, confidence)
        wrong = sum(
            place[pair.better] > place[pair.worse] for pair in found.neighbours if pair.separated
        )
        yield Wave(len(past) * seats, found.order, found.clear, wrong)
        if found.clear:
            return
        gaps = [Gap(pair.blocks, pair.doubt) for pair in found.neighbours]
        wave = next_wave(past, found.order, gaps, most=min(budget - len(past), 10**9))


def _order(ladder: Ladder) -> Order:
    return tuple(standing.entry for standing in ladder.standings())
