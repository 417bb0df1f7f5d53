"""Observations and the memory that makes them, on small positions worked out by hand.

That they agree with the rules in whole matches is tested with the games.
"""

from __future__ import annotations

import pytest

from arenabot.actions import CLAIM, burn
from arenabot.cards import DECK, Card, cards
from arenabot.events import (
    Event,
    Reshuffle,
    RoundEnded,
    RoundReason,
    RoundStarted,
    Turn,
)
from arenabot.observation import ClaimsObservation, Prompt, View
from arenabot.options import ClaimsOptions
from arenabot.testing import observation

KING, QUEEN, TEN = cards("Ks Qs Td")
HAND = cards("Ks 9s 2h")
STARTED = RoundStarted(1, 0, Card("7d"), (HAND, None), None, 41)


def view(*news: Event) -> View[ClaimsOptions]:
    """What seat 0 of two remembers after some news."""
    memory = View(ClaimsOptions(), seat=0, seats=2)
    for event in news:
        memory.see(event)
    return memory


def seen(*news: Event, takeable: Card | None = None) -> ClaimsObservation:
    """What it observes then."""
    return view(STARTED, *news).observation(Prompt(takeable, can_claim=False))


def test_legal_actions_follow_hand_pile_and_claim() -> None:
    """Each set from the deck, from the pile only if a card may be taken, a claim last."""
    plain = observation("2s 2h", zero="7d", turn=1)
    assert plain.legal_actions() == [burn("2s"), burn("2h"), burn("2s 2h")]
    rich = observation("2s 2h", zero="7d", takeable="Qc")
    assert rich.legal_actions() == [
        burn("2s"),
        burn("2s", "pile"),
        burn("2h"),
        burn("2h", "pile"),
        burn("2s 2h"),
        burn("2s 2h", "pile"),
        CLAIM,
    ]


def test_hand_points_leave_out_the_zero_rank() -> None:
    """And a single card's cost does."""
    position = observation("Ks 7s 9h", zero="7d")
    assert position.hand_points == 14 + 9
    assert [position.points_of(card) for card in cards("Ks 7s 9h As")] == [14, 0, 9, 1]


def test_a_burn_and_a_blind_draw_change_hand_pile_and_deck() -> None:
    """One's own drawn card is seen; another seat's only counts."""
    now = seen(
        Turn(0, burn("Ks"), TEN, False),
        Turn(1, burn("Qs Qh"), None, False),
        takeable=Card("Qh"),
    )
    assert now.hand == cards("9s 2h Td")
    assert now.pile() == cards("Ks Qs Qh")
    assert now.hand_sizes == (3, 2)
    assert now.deck_size == 39
    assert (now.turn, now.starter) == (3, 0)
    assert now.takeable == Card("Qh")


def test_a_card_taken_from_the_pile_is_known_until_it_is_burned() -> None:
    """Seat 1 takes the king: it is in its hand, till it goes."""
    taken = seen(Turn(0, burn("Ks"), TEN, False), Turn(1, burn("Qs", "pile"), KING, False))
    assert taken.known_hands() == (frozenset(taken.hand), frozenset({KING}))
    assert taken.pile() == (QUEEN,)
    assert taken.deck_size == 40
    gone = seen(
        Turn(0, burn("Ks"), TEN, False),
        Turn(1, burn("Qs", "pile"), KING, False),
        Turn(0, burn("9s", "pile"), QUEEN, False),
        Turn(1, burn("Ks"), None, False),
    )
    assert gone.known_hands()[1] == frozenset()


def test_after_a_reshuffle_only_the_top_card_lies_on_the_pile() -> None:
    """The others are somewhere in the deck again."""
    now = seen(
        Turn(0, burn("Ks"), TEN, False),
        Turn(1, burn("Qs"), None, False),
        Reshuffle(1, None, 1),
    )
    assert now.pile() == (QUEEN,)
    assert now.reshuffles == 1
    assert now.deck_size == 1
    assert KING in now.unseen()
    assert QUEEN not in now.unseen()


def test_a_reshuffle_of_the_whole_pile_leaves_none() -> None:
    """As in Claim! (Claim! 3)."""
    now = seen(Turn(0, burn("Ks"), TEN, False), Reshuffle(1, None, 1))
    assert now.pile() == ()


def test_unseen_cards_are_all_but_hand_pile_zero_and_known() -> None:
    """At the start of a round of two: 52 less one's own three and the zero card."""
    start = seen()
    assert set(start.unseen()) == set(DECK) - {*HAND, Card("7d")}


def test_a_new_round_starts_afresh_and_keeps_the_totals() -> None:
    """History, reshuffles and turns are the round's; totals are the match's."""
    memory = view(
        STARTED,
        Turn(0, burn("Ks"), TEN, False),
        Reshuffle(1, None, 1),
        RoundEnded(1, RoundReason.CLAIM, 1, True, (HAND, HAND), (25, 0), (25, 0)),
        RoundStarted(2, 1, Card("3d"), (cards("As"), None), None, 49),
        Turn(1, burn("Qs"), None, True),
    )
    now = memory.observation(Prompt(QUEEN, can_claim=True))
    assert (now.round, now.turn, now.starter, now.zero) == (2, 2, 1, Card("3d"))
    assert (now.totals, now.reshuffles, now.deck_size) == ((25, 0), 0, 48)
    assert now.history == (Turn(1, burn("Qs"), None, True),)
    assert (now.takeable, now.can_claim) == (QUEEN, True)


def test_an_observation_does_not_change_when_the_memory_goes_on() -> None:
    """A bot may keep what it was given."""
    memory = view(STARTED)
    first = memory.observation(Prompt(None, can_claim=False))
    history = first.history
    memory.see(Turn(0, burn("Ks"), TEN, False))
    assert first.history == history == ()
    assert first.hand == cards("9s Ks 2h")


@pytest.mark.parametrize(
    ("news", "error"),
    [
        ([RoundStarted(1, 0, Card("7d"), (None, HAND), None, 41)], "without this seat's own cards"),
        ([STARTED, Turn(0, burn("Qs"), TEN, False)], "seat 0 cannot have played: burn Qs"),
        ([STARTED, Turn(0, burn("Ks"), None, False)], "seat 0 cannot have played: burn Ks"),
    ],
)
def test_news_that_cannot_follow_is_refused(news: list[Event], error: str) -> None:
    """A hand that was not dealt, a burn of cards not held, an own draw not shown."""
    with pytest.raises(ValueError, match=error):
        view(*news)
