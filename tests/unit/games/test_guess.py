"""What ``determinise`` makes of an observation, for every game at every number of players."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games import GAMES, Phase, State, determinise
from arenabot.claro import ClaroReshuffle
from tests.unit.games.playing import (
    Table,
    at_random,
    every_table,
    never_claim,
    property_test,
    steps,
    stubborn_pile,
)

#: Long enough for reshuffles, for later rounds and for a seat to hold cards that all know.
LONGEST = 120
seeds = st.binary(min_size=32, max_size=32)


def positions(table: Table, seed: bytes, rng: random.Random) -> Iterator[tuple[State, int]]:
    """Some positions of a match, each with a seat that is to act in it."""
    # Rounds in which nobody draws from the deck, or in which nobody claims, end soon.
    options = {} if table.game == "claro" else {"stall_laps": 2, "max_laps": 6}
    state = table.match(seed, **options)
    policy = rng.choice([at_random, never_claim, stubborn_pile])
    wanted = {rng.randrange(LONGEST) for _ in range(4)} | {0}
    for number, _ in enumerate(islice(steps(state, policy, rng), LONGEST)):
        if number in wanted and state.phase is Phase.PLAYING:
            yield state, rng.choice(state.to_act)


def shuffled(observation: Any, rng: random.Random) -> list[Any]:
    """The unseen cards in a random order."""
    hidden = list(observation.unseen())
    rng.shuffle(hidden)
    return hidden


def as_it_is(state: State, seat: int, observation: Any) -> list[Any]:
    """The unseen cards in the order in which they really lie."""
    places = state.places()
    unseen = set(observation.unseen())
    others = [places[f"hand {other}"] for other in range(state.seats) if other != seat]
    deck = places["draw pile"] if "draw pile" in places else places["deck"]
    return [card for hand in others for card in hand if card in unseen] + list(deck)


@every_table
@property_test
@given(seed=seeds, rng=st.randoms(use_true_random=False))
def test_a_guess_gives_the_same_observation_back(
    table: Table, seed: bytes, rng: random.Random
) -> None:
    """Whatever is guessed, the seat is asked the same and may do the same."""
    for state, seat in positions(table, seed, rng):
        observation: Any = state.observation(seat)
        guess = determinise(observation, shuffled(observation, rng), rng.randbytes(32))
        assert guess.observation(seat) == observation
        assert guess.prompt(seat) == state.prompt(seat)
        assert guess.legal_actions(seat) == state.legal_actions(seat)
        assert guess.totals == state.totals


@every_table
@property_test
@given(seed=seeds, rng=st.randoms(use_true_random=False))
def test_a_guess_can_be_played_to_the_end(table: Table, seed: bytes, rng: random.Random) -> None:
    """Each card stays in exactly one place all the way."""
    for state, seat in positions(table, seed, rng):
        observation: Any = state.observation(seat)
        cards = sorted(card for place in state.places().values() for card in place)
        guess = determinise(observation, shuffled(observation, rng), rng.randbytes(32))
        for _ in islice(steps(guess, at_random, rng), 60):
            assert sorted(card for place in guess.places().values() for card in place) == cards


@every_table
@property_test
@given(seed=seeds, rng=st.randoms(use_true_random=False))
def test_who_guesses_right_sees_the_match_as_it_goes_on(
    table: Table, seed: bytes, rng: random.Random
) -> None:
    """The true cards and the true seed give every later event: nothing else was lost."""
    for state, seat in positions(table, seed, rng):
        observation: Any = state.observation(seat)
        guess = determinise(observation, as_it_is(state, seat, observation), seed)
        if guess.to_act != state.to_act:
            continue  # in secret, somebody has chosen discards
        chance = rng.random()
        pairs = zip(
            islice(steps(state.copy(), at_random, random.Random(chance)), 1, 80),
            islice(steps(guess, at_random, random.Random(chance)), 1, 80),
            strict=True,
        )
        for truth, guessed in pairs:
            if any(isinstance(event, ClaroReshuffle) for event in truth):
                break  # how many there were before is not known
            assert guessed == truth


@pytest.mark.parametrize("game_id", GAMES)
def test_other_cards_than_the_unseen_ones_are_refused(game_id: str) -> None:
    """One too few, one twice, or one that the seat itself holds."""
    seats = GAMES[game_id].seats[0]
    observation: Any = GAMES[game_id].new_match(seats=seats, seed=bytes(32)).observation(0)
    hidden = list(observation.unseen())
    for wrong in (hidden[1:], [*hidden[1:], hidden[1]], [*hidden[1:], observation.hand[0]]):
        with pytest.raises(ValueError, match="each once"):
            determinise(observation, wrong, bytes(32))


def test_a_seat_without_cards_has_nothing_to_discard_in_a_guess_either() -> None:
    """Of all the discard phases in which somebody has no cards left, one is enough."""
    for number in range(200):
        state = Table("claro", 3).match(number.to_bytes(32, "big"))
        for _ in steps(state, at_random):
            if state.turn == 0 and len(state.to_act) == 1:
                observation: Any = state.observation(state.to_act[0])
                if 0 in observation.hand_sizes:
                    guess = determinise(observation, observation.unseen(), bytes(32))
                    assert guess.to_act == state.to_act
                    return
    raise AssertionError("no such discard phase")
