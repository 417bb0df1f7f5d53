"""Adaptive tournaments in the store: the same however they are stopped, and how clear they are."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.app.rankings.waves import Growth, clarity, scheduled
from arena.rating import MatchResult
from arena.schedule import Block, first_wave
from arena.store import (
    MAX_ATTEMPTS,
    NewResult,
    Store,
    StoredMatch,
    Tournament,
    TournamentState,
)
from arena.store.testing import make_tournament, new_result, new_tournament, new_version, replay_of
from arena.tournament.waves import Waves
from benches.fairness import Simulation, World

STRENGTHS = (0.0, 3.0, 1.5)
ALIKE = (0.0, 0.0, 0.0)
CARDS = World(luck=0.5)
CONFIDENCE = 0.6

Played = list[tuple[str, tuple[int, ...]]]


def create(store: Store, name: str = "cup", *, blocks: int = 40) -> Tournament:
    """A tournament of three at tables of two, its first wave scheduled."""
    new = new_tournament(name, blocks=blocks, until_clear=CONFIDENCE)
    first = first_wave(3, 2, most=blocks, seed=new.seed)
    bots = [store.add_version(new_version(f"bot{at}"), b"") for at in range(3)]
    return store.create_tournament(new, bots, scheduled(first, new.seed))


def result(cup: Tournament, match: StoredMatch, strengths: tuple[float, ...]) -> NewResult:
    """How the match ends, which depends on nothing but its place and its players."""
    order = {0: match.seating, 1: match.seating[::-1]}[match.key.rotation]
    field = Simulation(strengths, CARDS, "s")
    played: MatchResult = field.block(Block(match.key.block, order))[match.key.rotation]
    assert played.entries == match.seating
    plain = new_result(match)
    seats = zip(plain.seats, played.ranks, strict=True)
    return replace(plain, seats=tuple(replace(seat, rank=rank) for seat, rank in seats))


def record(
    store: Store, cup: Tournament, matches: list[StoredMatch], strengths: tuple[float, ...]
) -> None:
    for match in matches:
        store.record_result(cup.id, result(cup, match, strengths), replay_of(match))


def finish(
    store: Store,
    cup: Tournament,
    *,
    strengths: tuple[float, ...] = STRENGTHS,
    order: Callable[[list[StoredMatch]], None] = lambda _: None,
    forget: bool = False,
) -> Played:
    """Play to the end, and give all matches; `forget` what a process knows after each wave."""
    growth = Growth.of(store, cup)
    assert growth is not None
    while True:
        pending = store.pending_matches(cup.id)
        order(pending)
        record(store, cup, pending, strengths)
        if forget:
            growth = Growth.of(store, cup)
            assert growth is not None
        if not growth.grow():
            return [(match.id, match.seating) for match in store.matches(cup.id)]


def undisturbed() -> Played:
    """All matches of the tournament, worked out without any store."""
    seed = new_tournament().seed
    waves = Waves(3, 2, most=40, confidence=CONFIDENCE, seed=seed)
    field = Simulation(STRENGTHS, CARDS, "s")
    blocks: list[Block] = []
    while wave := waves.next():
        waves.add(wave, [result for block in wave for result in field.block(block)])
        blocks += wave
    return [(match.id, match.seating) for match in scheduled(blocks, seed)]


def test_it_is_finished_when_its_order_is_clear(store: Store) -> None:
    """And the order is right."""
    cup = create(store)
    finish(store, cup)
    assert store.progress(cup.id).state is TournamentState.FINISHED
    found = clarity(store, cup)
    assert found is not None
    assert found.separation.clear
    assert found.separation.order == (1, 2, 0)
    assert found.blocks * 2 == store.progress(cup.id).matches < 80
    assert found.more == 0


def test_equal_bots_end_with_the_blocks(store: Store) -> None:
    """They stay open, and nobody can tell how many more it would take."""
    cup = create(store, blocks=12)
    finish(store, cup, strengths=ALIKE)
    assert store.progress(cup.id).state is TournamentState.FINISHED
    assert store.progress(cup.id).matches == 24
    found = clarity(store, cup)
    assert found is not None
    assert len(found.separation.open) == 2


@pytest.mark.parametrize("seed", range(1))
def test_the_order_in_which_matches_end_changes_nothing(store: Store, seed: int) -> None:
    calm = undisturbed()
    assert finish(store, create(store), order=random.Random(seed).shuffle) == calm


def test_a_process_that_knows_nothing_goes_on_the_same(store: Store) -> None:
    """However often it is another one."""
    calm = undisturbed()
    assert finish(store, create(store), forget=True) == calm


@pytest.mark.parametrize("waves", [0, 2])
def test_a_run_that_is_killed_within_a_wave_changes_nothing(store: Store, waves: int) -> None:
    """The wave stays as it was, whatever its first results are."""
    calm = undisturbed()
    cup = create(store)
    for _ in range(waves):
        record(store, cup, store.pending_matches(cup.id), STRENGTHS)
        growth = Growth.of(store, cup)
        assert growth is not None
        assert growth.grow()
    record(store, cup, store.pending_matches(cup.id)[1:3], STRENGTHS)
    assert finish(store, cup) == calm


def test_a_match_that_was_given_up_leaves_its_block_out(store: Store) -> None:
    """And the tournament goes on, the same for whoever takes it up."""
    ends = []
    for name, forget in (("one", False), ("other", True)):
        cup = create(store, name)
        lost, *others = store.pending_matches(cup.id)
        for attempt in range(1, MAX_ATTEMPTS + 1):
            store.record_void(cup.id, lost.id, attempt, reason="x", detail="x")
        record(store, cup, others, STRENGTHS)
        ends.append(finish(store, cup, forget=forget))
        found = clarity(store, cup)
        assert found is not None
        assert found.separation.clear
    assert ends[0] == ends[1]


def test_only_blocks_before_the_first_pending_one_are_judged(store: Store) -> None:
    """So what is said does not depend on what happens to be done first."""
    cup = create(store)
    pending = store.pending_matches(cup.id)
    record(store, cup, pending[:2], STRENGTHS)
    after_one = clarity(store, cup)
    record(store, cup, pending[3:], STRENGTHS)
    assert clarity(store, cup) == after_one
    assert after_one is not None
    assert after_one.blocks == 1


def test_one_that_was_cancelled_within_a_block_is_judged_by_what_was_whole(store: Store) -> None:
    cup = create(store)
    record(store, cup, store.pending_matches(cup.id)[:3], STRENGTHS)
    store.cancel(cup.id)
    found = clarity(store, cup)
    assert found is not None
    assert found.blocks == 1


def test_a_fixed_schedule_does_not_grow_and_is_not_judged(store: Store) -> None:
    fixed = make_tournament(store, "fixed")
    assert Growth.of(store, fixed) is None
    assert clarity(store, fixed) is None
