"""What an observation of Claims or Claim! works out from its history is so at the table."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games import State
from arena.games.burn import BurnState
from arenabot.cards import points
from arenabot.observation import Observation
from tests.unit.games.playing import (
    TABLES,
    Policy,
    Table,
    at_random,
    from_deck,
    property_test,
    steps,
    stubborn_pile,
)

BURNING = [table for table in TABLES if isinstance(table.match(), BurnState)]
burning_table = pytest.mark.parametrize("table", BURNING, ids=str)
matches = given(
    seed=st.binary(min_size=32, max_size=32),
    policy=st.sampled_from([at_random, from_deck, stubborn_pile]),
    chance=st.integers(0, 2**32),
)


def turns(
    table: Table, seed: bytes, policy: Policy, chance: int
) -> Iterator[tuple[State, Observation[Any]]]:
    """The first turns of a match, with what the seat to act observes."""
    state = table.match(seed)
    for _ in itertools.islice(steps(state, policy, random.Random(chance)), 120):
        for seat in state.to_act:
            seen = state.observation(seat)
            assert isinstance(seen, Observation)
            yield state, seen


@burning_table
@property_test
@matches
def test_the_pile_is_as_it_lies(table: Table, seed: bytes, policy: Policy, chance: int) -> None:
    """Through burns, draws and reshuffles, and its top is what may be taken, if anything may."""
    for state, seen in turns(table, seed, policy, chance):
        assert seen.pile() == state.places()["pile"]
        assert seen.takeable is None or seen.takeable == seen.pile()[-1]


@burning_table
@property_test
@matches
def test_cards_known_to_be_in_a_hand_are_there(
    table: Table, seed: bytes, policy: Policy, chance: int
) -> None:
    """One's own hand is known whole, and of the others' only what lies in them."""
    for state, seen in turns(table, seed, policy, chance):
        known = seen.known_hands()
        assert known[seen.seat] == set(seen.hand)
        for seat, cards in enumerate(known):
            assert cards <= set(state.places()[f"hand {seat}"])


@burning_table
@property_test
@matches
def test_unseen_cards_are_those_in_the_deck_and_blind_in_other_hands(
    table: Table, seed: bytes, policy: Policy, chance: int
) -> None:
    """Neither more nor fewer."""
    for state, seen in turns(table, seed, policy, chance):
        places = state.places()
        blind = set(places["deck"])
        for seat, known in enumerate(seen.known_hands()):
            blind |= set(places[f"hand {seat}"]) - known
        assert set(seen.unseen()) == blind
        assert list(seen.unseen()) == sorted(blind)


@burning_table
@property_test
@matches
def test_public_numbers_are_as_they_are(
    table: Table, seed: bytes, policy: Policy, chance: int
) -> None:
    """The deck's size, totals, the zero card, and what one's own hand costs."""
    for state, seen in turns(table, seed, policy, chance):
        assert isinstance(state, BurnState)
        assert seen.deck_size == len(state.places()["deck"])
        assert seen.totals == state.totals
        assert (seen.zero,) == state.places()["zero"]
        assert seen.hand_points == state.hand_points(seen.seat) == points(seen.hand, seen.zero)
        assert seen.hand_points == sum(map(seen.points_of, seen.hand))
