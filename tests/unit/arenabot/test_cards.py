"""Cards: their texts, their order, and that there are only ever 52 of them."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arenabot.cards import DECK, POINTS, RANKS, SUITS, Card, cards, points

any_card = st.sampled_from(DECK)


def test_canonical_order_is_ace_to_king_within_spades_hearts_diamonds_clubs() -> None:
    """As RULINGS X6 orders them; the place is the integer value."""
    assert [str(card) for card in DECK] == [rank + suit for suit in "shdc" for rank in RANKS]
    assert [int(card) for card in DECK] == list(range(52))
    assert sorted(cards("2c Kh As 2s")) == list(cards("As 2s Kh 2c"))


@given(card=any_card)
def test_a_card_is_found_by_its_text_and_by_its_place(card: Card) -> None:
    """Both give the one object that there is."""
    assert Card(str(card)) is card
    assert Card(int(card)) is card
    assert Card(card) is card
    assert str(card) == RANKS[card.rank] + SUITS[card.suit]


@given(card=any_card)
def test_copies_of_a_card_are_the_card(card: Card) -> None:
    """Through copy, deepcopy and every pickle protocol, inside other things too."""
    assert copy.copy(card) is card
    assert copy.deepcopy([card])[0] is card
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps((card,), protocol))[0] is card  # noqa: S301 - our own


@pytest.mark.parametrize(
    "name", ["", "1s", "10s", "as", "AS", "sA", "Ax", "A", "Ass", 52, -1, None]
)
def test_what_names_no_card_is_refused_with_how_to_write_one(name: str) -> None:
    """The error shows what was given and an example."""
    with pytest.raises(ValueError, match=rf"no such card: {name!r} \(a card is written .* As"):
        Card(name)


def test_every_card_is_true() -> None:
    """Also the ace of spades, whose place is 0: `if takeable:` asks whether there is a card."""
    assert all(DECK)


def test_a_card_is_shown_as_text_everywhere() -> None:
    """In str, repr, f-strings with and without a width; never as a number."""
    ten = Card("Td")
    assert f"{ten}|{ten:>4}|{ten!r}|{ten!s}" == "Td|  Td|Card('Td')|Td"
    assert str([ten]) == "[Card('Td')]"


def test_bits_are_one_for_each_card_and_a_ranks_lie_side_by_side() -> None:
    """So that a hand is one integer and a rank's suits are read off with a shift."""
    assert sum(card.bit for card in DECK) == (1 << 52) - 1
    assert {card.bit >> 4 * card.rank for card in DECK} == {1, 2, 4, 8}


def test_cards_reads_texts_between_spaces_or_commas() -> None:
    """In the order given; an unknown one is an error."""
    assert cards("Ks, Kh 9s") == (Card("Ks"), Card("Kh"), Card("9s"))
    assert cards("") == ()
    with pytest.raises(ValueError, match="'10s'"):
        cards("Ks 10s")


def test_points_are_those_of_the_ranks_without_the_zero_cards_rank() -> None:
    """Jack 12, queen 13, king 14; whatever suit the zero card has."""
    hand = cards("As 7s Ts Js Ks")
    assert points(hand, Card("7c")) == 1 + 10 + 12 + 14
    assert points(hand, Card("Jc")) == 1 + 7 + 10 + 14
    assert points((), Card("Jc")) == 0
    assert len(POINTS) == len(RANKS)
