"""What each seat may see, in every game: nothing that is hidden from it (RULINGS X7)."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games import GAMES, Phase, State
from arenabot.anygame import view
from arenabot.claro import Discarded, Played
from arenabot.events import RoundEnded
from tests.unit.games.playing import (
    Policy,
    Table,
    at_random,
    every_table,
    from_deck,
    never_claim,
    property_test,
    steps,
    stubborn_pile,
)
from tests.unit.games.twins import Deal, cards_in, record, twin

seeds = st.binary(min_size=32, max_size=32)
policies = st.sampled_from([at_random, never_claim, stubborn_pile, from_deck])
chances = st.integers(0, 2**32)
#: Events that lay cards open (X7); in Claro such a card may be drawn again in the same step.
FACE_UP = (RoundEnded, Played, Discarded)


@every_table
@property_test
@given(data=st.data(), seed=seeds, policy=policies, chance=chances)
def test_nothing_that_a_seat_sees_depends_on_what_is_hidden_from_it(
    table: Table, data: st.DataObject, seed: bytes, policy: Policy, chance: int
) -> None:
    """Events, prompts, observations and legal actions are the same in every permuted twin."""
    deal = Deal(table, seed, data.draw(st.integers(0, table.seats - 1), "seat"))
    length = data.draw(st.integers(1, 120), "length")
    rng = random.Random(chance)
    story = record(deal, policy, rng, length)
    for _ in range(4):
        other = twin(deal, story, rng)
        if other is not None:
            assert [step.seen for step in other.steps] == [step.seen for step in story.steps]


@every_table
def test_twins_differ_in_all_that_is_hidden_and_in_nothing_else(table: Table) -> None:
    """The permuting above is no empty one, after a reshuffle neither."""
    hidden = {stock(table.match()), *(f"hand {seat}" for seat in range(1, table.seats))}
    dealt: set[str] = set()
    reshuffled: set[str] = set()
    for chance in range(100):
        rng = random.Random(chance)
        deal = Deal(table, rng.randbytes(32), 0)
        story = record(deal, from_deck, rng, 10 + 8 * chance)
        twins = [twin(deal, story, rng) for _ in range(4)]
        assert all(twins) or table.game == "claro"
        for other in filter(None, twins):
            here, there = story.state.places(), other.state.places()
            differ = {place for place in here if here[place] != there[place]}
            assert differ <= hidden
            dealt |= differ
            if len(story.orders[-1]) < len(story.orders[0]):
                reshuffled |= differ
        if dealt == reshuffled == hidden:
            return
    pytest.fail(f"the twins differed only in {dealt}, after reshuffles in {reshuffled}")


def stock(state: State) -> str:
    """The place from which cards are drawn."""
    return "deck" if "deck" in state.places() else "draw pile"


@every_table
@property_test
@given(seed=seeds, policy=policies, chance=chances)
def test_no_event_shows_a_seat_a_card_that_lies_hidden_from_it(
    table: Table, seed: bytes, policy: Policy, chance: int
) -> None:
    """A card in an event is one's own, or has lain face up since it was last shuffled."""
    state = table.match(seed)
    kind = type(next(iter(state.places()["hand 0"])))
    face_up: set[Any] = set()
    hands: list[set[Any]] = [set() for _ in range(table.seats)]
    for news in itertools.islice(steps(state, policy, random.Random(chance)), 120):
        if state.turn == 1 and state.phase is Phase.PLAYING:
            face_up, hands = set(), [set() for _ in range(table.seats)]
        places = {place: set(cards) for place, cards in state.places().items()}
        before, hands = hands, [places[f"hand {seat}"] for seat in range(table.seats)]
        parted_with = {c for old, new in zip(before, hands, strict=True) for c in old - new}
        drawn_from = places.pop(stock(state))
        face_up = face_up.union(
            parted_with, *(at for place, at in places.items() if "hand" not in place)
        )
        for seat in range(table.seats):
            for event in news:
                if not isinstance(event, FACE_UP):
                    told = set(cards_in(event.seen_by(seat), kind))
                    assert told <= before[seat] | hands[seat] | face_up, (event, seat)
        face_up -= drawn_from


@every_table
@property_test
@given(seed=seeds, policy=policies, chance=chances)
def test_the_news_folded_up_is_the_observation(
    table: Table, seed: bytes, policy: Policy, chance: int
) -> None:
    """A seat that keeps a view of what it is told knows at each turn all that it may know."""
    state = table.match(seed)
    options = GAMES[table.game].options()
    memories = [view(options, seat, table.seats) for seat in range(table.seats)]
    for news in itertools.islice(steps(state, policy, random.Random(chance)), 120):
        for seat, memory in enumerate(memories):
            for event in news:
                memory.see(event.seen_by(seat))
        for seat in state.to_act:
            assert memories[seat].observation(state.prompt(seat)) == state.observation(seat)


@every_table
@property_test
@given(seed=seeds, policy=policies, chance=chances)
def test_an_observation_lists_what_the_rules_list(
    table: Table, seed: bytes, policy: Policy, chance: int
) -> None:
    """``Observation.legal_actions`` is the engine's list, in the engine's order."""
    state = table.match(seed)
    for _ in itertools.islice(steps(state, policy, random.Random(chance)), 120):
        for seat in state.to_act:
            assert state.observation(seat).legal_actions() == state.legal_actions(seat)


def hand_sizes(state: State) -> list[int]:
    """How many cards each seat holds."""
    return [len(state.places()[f"hand {seat}"]) for seat in range(state.seats)]


@every_table
@property_test
@given(seed=seeds, policy=policies, chance=chances)
def test_an_observation_tells_what_is_public(
    table: Table, seed: bytes, policy: Policy, chance: int
) -> None:
    """One's own hand, everyone's hand size and the place in the match are as they are."""
    state = table.match(seed)
    for _ in itertools.islice(steps(state, policy, random.Random(chance)), 120):
        for seat in state.to_act:
            seen = state.observation(seat)
            assert list(seen.hand) == sorted(state.places()[f"hand {seat}"])
            assert list(seen.hand_sizes) == hand_sizes(state)
            assert (seen.seat, seen.seats) == (seat, table.seats)
            assert (seen.round, seen.turn) == (state.round, state.turn)
