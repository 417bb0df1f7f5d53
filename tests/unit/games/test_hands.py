"""A hand as one integer: what is looked up is what would be worked out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.games.hands import POINTS_BY_ZERO, burns_of, cards_of, weighed
from arenabot.actions import burns
from arenabot.cards import DECK, Card, points
from tests.unit.games.playing import property_test

HANDS = st.lists(st.sampled_from(DECK), unique=True)


@property_test
@given(held=HANDS, from_pile=st.booleans())
def test_the_burns_looked_up_are_those_that_the_vocabulary_lists(
    held: list[Card], from_pile: bool
) -> None:
    """The same objects in the same order, whatever the hand, in a list of its own."""
    hand = sum(card.bit for card in held)
    listed = burns(hand, from_pile=from_pile)
    found = burns_of(hand, from_pile=from_pile)
    assert [id(action) for action in found] == [id(action) for action in listed]
    found.clear()
    assert burns_of(hand, from_pile=from_pile) == listed


@property_test
@given(held=HANDS, zero=st.sampled_from(DECK))
def test_a_hand_is_weighed_as_its_cards_are_counted(held: list[Card], zero: Card) -> None:
    """Its integer gives the cards back, in card order, and its cost is that of the rules."""
    bits, cost = weighed(held, POINTS_BY_ZERO[zero.rank])
    assert cards_of(bits) == tuple(sorted(held))
    assert cost == points(held, zero)
