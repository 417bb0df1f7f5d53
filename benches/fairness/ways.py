"""Ways to run a tournament and to order its field.

A way yields the order that it sees at each of some marks, which are numbers of matches played.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.rating import ByMatch, Ladder, Learner, MatchResult, TrueSkillRater
from arena.schedule import Block, plan
from arena.tournament.waves import Waves

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
    place = {entry: number for number, entry in enumerate(field.right_order)}
    waves = Waves(
        len(place), seats, most=-(-most // seats), confidence=confidence, seed=seed.encode()
    )
    matches = 0
    while wave := waves.next():
        results = [result for block in wave for result in field.block(block)]
        waves.add(wave, results)
        matches += len(results)
        found = waves.separation()
        wrong = sum(
            place[pair.better] > place[pair.worse] for pair in found.neighbours if pair.separated
        )
        yield Wave(matches, found.order, found.clear, wrong)


def _order(ladder: Ladder) -> Order:
    return tuple(standing.entry for standing in ladder.standings())
