"""What a person may answer is what the rules allow, no more and no less."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games import Phase
from arena.players.choices import READY, Choices, Kind, NotAChoice
from arenabot import wire
from arenabot.actions import Burn, Claim
from arenabot.anygame import AnyAction
from arenabot.claro import Discard, Play
from tests.unit.games.playing import Table, at_random, every_table, never_claim, property_test

seeds = st.binary(min_size=32, max_size=32)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from(["As", "12"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=7), inner),
    max_leaves=8,
)
answers = st.dictionaries(
    st.sampled_from(["burn", "draw", "claim", "play", "discard", "ready"]), json_values
)


def said(action: AnyAction) -> dict[str, Any]:
    """An action as a person's page says it."""
    match action:
        case Burn():
            return {"burn": [str(card) for card in action.cards], "draw": action.draw.value}
        case Claim():
            return {"claim": True}
        case Play():
            return {"play": str(action.card)}
        case Discard():
            return {"discard": [str(card) for card in action.cards]}
    raise AssertionError(action)


def count(choices: Choices) -> int:
    """How many actions there are to choose from, the order of burning aside."""
    if choices.kind is Kind.DISCARD:
        return 1 << len(choices.discard)
    sets = sum((1 << len(ranked)) - 1 for ranked in choices.burn)
    return sets * len(choices.draw) + choices.claim + len(choices.play)


@every_table
@property_test
@given(seed=seeds, chance=st.integers(0, 2**32), length=st.integers(0, 120), claims=st.booleans())
def test_the_choices_are_the_legal_actions(
    table: Table, seed: bytes, chance: int, length: int, claims: bool
) -> None:
    """Each can be said and is read back, and there are not more."""
    state, rng = table.match(seed), random.Random(chance)
    policy = at_random if claims else never_claim
    for _ in range(length):
        if state.phase is Phase.OVER:
            break
        if state.phase is Phase.ROUND_OVER:
            state.next_round()
            continue
        seat = rng.choice(state.to_act)
        choices = Choices.of(state.observation(seat))
        legal = state.legal_actions(seat)
        assert [choices.read(said(action)) for action in legal] == legal
        assert count(choices) == len(legal)
        state.apply(policy(state, seat, rng), seat)


HAND = Choices(Kind.TURN, burn=(("Ks", "Kh"), ("9s",)), draw=("deck",))
CARDS = Choices(Kind.TURN, play=("12", "J1"))
DISCARDS = Choices(Kind.DISCARD, discard=("12", "J1"))
EVERY = (HAND, CARDS, DISCARDS, READY, Choices(Kind.DISCARD))


@pytest.mark.parametrize(
    ("choices", "answer", "why"),
    [
        (HAND, {"burn": [], "draw": "deck"}, "at least one"),
        (HAND, {"burn": ["Ks", "9s"], "draw": "deck"}, "different ranks"),
        (HAND, {"burn": ["Ks", "Ks"], "draw": "deck"}, "named twice"),
        (HAND, {"burn": ["As"], "draw": "deck"}, "not in your hand"),
        (HAND, {"burn": ["Ks"], "draw": "pile"}, "from there"),
        (HAND, {"burn": "Ks", "draw": "deck"}, "in a list"),
        (HAND, {"claim": True}, "no claim"),
        (HAND, {"ready": True}, "no answer to a turn"),
        (HAND, {"play": "12"}, "no answer to a turn"),
        (CARDS, {"play": "13"}, "can't be played"),
        (CARDS, {"claim": True}, "no answer to a turn"),
        (DISCARDS, {"discard": ["13"]}, "not in your hand"),
        (DISCARDS, {"discard": ["12", "12"]}, "named twice"),
        (READY, {"ready": False}, "no answer to a ready"),
        (READY, {"ready": True, "note": "\ud800"}, "no answer to a ready"),
        (HAND, {"burn": ["Ks"], "draw": "deck", "claim": True}, "no answer to a turn"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_sentence(
    choices: Choices, answer: dict[str, Any], why: str
) -> None:
    """Which says what is wrong with it."""
    with pytest.raises(NotAChoice, match=why):
        choices.read(answer)


def test_the_order_of_burning_is_the_person_s() -> None:
    """The last card lies on top, where the next seat may take it."""
    for cards in (["Ks", "Kh"], ["Kh", "Ks"]):
        read = HAND.read({"burn": cards, "draw": "deck"})
        assert isinstance(read, Burn)
        assert list(map(str, read.cards)) == cards


def test_ready_is_all_that_is_asked_between_rounds() -> None:
    """It is no action."""
    assert READY.read({"ready": True}) is wire.READY


@given(answer=answers)
def test_whatever_comes_is_read_or_refused(answer: dict[str, Any]) -> None:
    """An HTTP client may send anything that is JSON; what is read is said in one way only."""
    for choices in EVERY:
        with suppress(NotAChoice):
            read = choices.read(answer)
            assert answer == ({"ready": True} if isinstance(read, wire.Ready) else said(read))
