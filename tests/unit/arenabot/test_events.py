"""Events: what each seat gets to see of them (RULINGS X7)."""

from __future__ import annotations

import pickle

import pytest

from arenabot.actions import CLAIM, burn
from arenabot.cards import Card, cards
from arenabot.events import (
    Event,
    MatchReason,
    Reshuffle,
    Result,
    RoundEnded,
    RoundReason,
    RoundStarted,
    Turn,
)

HANDS = (cards("As Ks"), cards("2s Qs"), cards("3s Js"))
STARTED = RoundStarted(1, 0, Card("7d"), HANDS, cards("4c 5c"), 2)
ENDED = RoundEnded(1, RoundReason.CLAIM, 0, False, HANDS, (50, 15, 15), (50, 15, 15))


def test_of_a_deal_a_seat_sees_its_own_hand_and_the_decks_size() -> None:
    """Neither the others' hands nor the deck."""
    seen = STARTED.seen_by(1)
    assert seen.hands == (None, HANDS[1], None)
    assert seen.deck is None
    assert (seen.round, seen.starter, seen.zero, seen.deck_size) == (1, 0, Card("7d"), 2)


@pytest.mark.parametrize(
    ("turn", "hidden"),
    [
        (Turn(0, burn("Ks"), Card("4c"), False), True),
        (Turn(0, burn("Ks", "pile"), Card("4c"), False), False),
        (Turn(0, burn("Ks"), Card("4c"), True), True),
        (Turn(0, CLAIM, None, False), False),
    ],
    ids=["blind", "from the pile", "blind by default", "a claim"],
)
def test_of_a_turn_another_seat_sees_all_but_a_card_drawn_blind(turn: Turn, hidden: bool) -> None:
    """The seat itself sees all of it."""
    assert turn.seen_by(0) == turn
    assert turn.seen_by(1) == (turn._replace(drawn=None) if hidden else turn)


def test_of_a_reshuffle_a_seat_sees_how_many_cards_it_was() -> None:
    """Not their order, whoever looks."""
    assert Reshuffle(2, cards("4c 5c"), 2).seen_by(0) == Reshuffle(2, None, 2)


def test_the_end_of_a_round_is_open_to_all() -> None:
    """Hands, points, totals."""
    assert ENDED.seen_by(2) == ENDED


@pytest.mark.parametrize(
    "event", [STARTED, ENDED, Turn(0, burn("Ks"), Card("4c"), False), Reshuffle(1, None, 9)]
)
def test_what_a_seat_sees_hides_nothing_more_when_looked_at_twice(event: Event) -> None:
    """``seen_by`` of what was seen is the same, and pickling keeps it."""
    seen = event.seen_by(0)
    assert seen.seen_by(0) == seen
    assert pickle.loads(pickle.dumps(event)) == event  # noqa: S301 - our own


def test_the_winners_are_the_seats_of_rank_1() -> None:
    """One, or all that share it."""
    assert Result(MatchReason.TARGET, (301, 5, 5), (3, 1, 1)).winners == (1, 2)


def test_reasons_have_the_texts_that_replays_use() -> None:
    """As the replay format fixes them."""
    assert {reason.value for reason in RoundReason} == {"claim", "deck", "max_laps", "stall_laps"}
    assert {reason.value for reason in MatchReason} == {"target", "max_rounds", "stars"}
