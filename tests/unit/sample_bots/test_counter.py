"""The counter's arithmetic, against the slow way to do the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from math import prod
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games import GAMES, Phase
from arenabot import (
    CLAIM,
    Burn,
    Card,
    ClaimObservation,
    ClaimsObservation,
    ClaimsOptions,
    Observation,
    Turn,
    burn,
)
from arenabot.cards import cards
from sample_bots.counter import bot as counter

weights = st.floats(0.01, 1.0)
unseen = st.lists(st.tuples(st.integers(0, 14), weights), min_size=4, max_size=8)


def one_by_one(
    room: int, kept: int, fresh: int, costs: Sequence[int], weights: Sequence[float]
) -> float:
    """``chance_at_most`` by looking at every set of kept cards and every fresh one."""
    everything = cheap = 0.0
    for chosen in combinations(range(len(costs)), kept):
        weight = prod(weights[at] for at in chosen)
        for drawn in costs if fresh else [0]:
            everything += weight
            cheap += weight * (sum(costs[at] for at in chosen) + drawn <= room)
    return cheap / everything


@settings(deadline=None)
@given(room=st.integers(0, 15), kept=st.integers(0, 4), fresh=st.integers(0, 1), deck=unseen)
def test_all_hands_are_counted_at_once(
    room: int, kept: int, fresh: int, deck: list[tuple[int, float]]
) -> None:
    """The same chance comes out as from all hands one by one."""
    costs, weighed = [cost for cost, _ in deck], [weight for _, weight in deck]
    counted = counter.chance_at_most(room, kept, fresh, costs, weighed)
    assert counted == pytest.approx(one_by_one(room, kept, fresh, costs, weighed))


def two_seats(hand: str, others: int, *history: Turn, zero: str = "7s") -> ClaimsObservation:
    """What seat 0 of two sees after these turns, when it may claim."""
    return Observation(
        options=ClaimsOptions(),
        seat=0,
        seats=2,
        round=1,
        turn=len(history) + 1,
        starter=0,
        zero=Card(zero),
        hand=cards(hand),
        takeable=None,
        can_claim=True,
        deck_size=30,
        hand_sizes=(len(cards(hand)), others),
        totals=(0, 0),
        reshuffles=0,
        history=history,
    )


def turn(seat: int, burned: str, draw: str = "deck", drawn: str | None = None) -> Turn:
    """A turn as seat 0 sees it."""
    return Turn(seat, burn(burned, draw), Card(drawn) if drawn else None, default=False)


def takes(card: str) -> tuple[Turn, Turn]:
    """Seat 1 burns a queen and takes ``card`` from seat 0."""
    return turn(0, card, drawn="As"), turn(1, "Qh", "pile", card)


def test_a_claim_is_certain_against_a_hand_that_is_known_to_be_dearer() -> None:
    """Its one card was taken from the pile."""
    seen = two_seats("3h", 1, *takes("4h"))
    assert counter.chance_to_hold(seen) == 1
    assert counter.decide(seen) is CLAIM


def test_a_claim_is_hopeless_against_a_hand_that_is_known_to_be_as_cheap() -> None:
    """Equal hands count against the claimer."""
    seen = two_seats("3h", 1, *takes("3d"))
    assert counter.chance_to_hold(seen) == 0
    assert counter.decide(seen) is not CLAIM


def test_who_burns_a_cheap_card_holds_no_dear_one() -> None:
    """So a claim is less likely to hold then, and most likely just after a king was burned."""
    by_burned = [
        counter.chance_to_hold(two_seats("5h", 2, turn(0, "Qd", drawn="5h"), turn(1, burned)))
        for burned in ("2s", "6s", "Ks")
    ]
    assert by_burned == sorted(by_burned)
    assert by_burned[0] < by_burned[-1] - 0.05


def test_a_pair_stays_together() -> None:
    """Nines go one after the other, or both at once: one at a time costs a turn more."""
    action = counter.decide(two_seats("9h 9d Th Jh Qh", 5))
    assert isinstance(action, Burn)
    assert action.cards == cards("9h 9d")


def test_a_turn_takes_a_bounded_amount_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """For each set of the hand at most every rank that may come, and each other hand once."""
    calls: Counter[str] = Counter()
    for name in ("prospect", "chance_at_most"):
        monkeypatch.setattr(counter, name, counted(name, calls, getattr(counter, name)))
    state = GAMES["claim"].new_match(seats=8, seed=bytes(32))
    for _ in range(400):
        if state.phase is not Phase.PLAYING:
            break
        calls.clear()
        seat = state.to_act[0]
        action = counter.decide(cast("ClaimObservation", state.observation(seat)))
        assert calls["prospect"] <= 4 * (13 + 1)
        assert calls["chance_at_most"] <= 7
        state.apply(action)


def counted(name: str, calls: Counter[str], function: Callable[..., float]) -> Callable[..., float]:
    """The function, with its calls counted."""

    def instead(*given: object) -> float:
        calls[name] += 1
        return function(*given)

    return instead
