"""Actions: how they are written, compared and listed."""

from __future__ import annotations

import copy
import itertools
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arenabot.actions import CLAIM, Burn, Claim, Draw, burn, burns
from arenabot.cards import DECK, Card, cards

card_sets = st.sets(st.sampled_from(DECK), min_size=1, max_size=7)


def test_burns_are_written_briefly() -> None:
    """As text, as one card, as cards; from the deck unless said otherwise."""
    king = Card("Ks")
    assert burn("Ks") == burn(king) == burn([king]) == Burn((king,), Draw.DECK)
    assert burn("Ks Kh", "pile") == burn(cards("Ks Kh"), Draw.PILE)


def test_actions_say_what_they_do() -> None:
    """In words a log can show."""
    assert str(burn("Ks Kh", "pile")) == "burn Ks Kh, draw from the pile"
    assert str(burn("")) == "burn nothing, draw from the deck"
    assert str(CLAIM) == "claim"


def test_the_order_of_burning_makes_another_action() -> None:
    """It decides which card lies on top; the source of the draw matters, too."""
    assert burn("Ks Kh") != burn("Kh Ks")
    assert burn("Ks") != burn("Ks", "pile")
    assert len({burn("Ks Kh"), burn("Ks Kh"), burn("Kh Ks")}) == 2


def test_all_claims_are_one_and_the_same() -> None:
    """However they were made."""
    assert Claim() == CLAIM
    assert hash(Claim()) == hash(CLAIM)


@pytest.mark.parametrize("action", [CLAIM, burn("Ks Kh", "pile"), burn("")], ids=str)
def test_actions_survive_pickling_and_copying(action: Burn | Claim) -> None:
    """Equal, with the same mask."""
    for twin in (pickle.loads(pickle.dumps(action)), copy.deepcopy(action)):  # noqa: S301 - ours
        assert twin == action
        assert getattr(twin, "mask", None) == getattr(action, "mask", None)


def test_actions_cannot_be_changed() -> None:
    """Neither their cards nor their source."""
    with pytest.raises(AttributeError):
        burn("Ks").draw = Draw.PILE  # type: ignore[misc]


@pytest.mark.parametrize("named", ["", "Ks Ks", "Ks Qs", "Ks Kh Qs"])
def test_what_no_hand_could_burn_has_no_mask(named: str) -> None:
    """None, one twice, mixed ranks: the rules refuse it wherever it is tried."""
    assert burn(named).mask == 0


@given(suits=st.sets(st.sampled_from("shdc"), min_size=1), rank=st.sampled_from("A5K"))
def test_the_mask_of_a_set_is_the_union_of_its_cards_bits(suits: set[str], rank: str) -> None:
    """In any order."""
    named = cards(" ".join(rank + suit for suit in suits))
    assert burn(named).mask == sum(card.bit for card in named)


@pytest.mark.parametrize(
    ("given_cards", "draw", "error"),
    [
        (("Ks",), Draw.DECK, r"Burn takes cards, not 'Ks'; burn\(\"Ks Kh\"\) takes text"),
        ("Ks", Draw.DECK, "Burn takes cards, not 'K'"),
        ((12,), Draw.DECK, "Burn takes cards, not 12"),
        ((Card("Ks"),), "pile", "draw is 'pile', but must be Draw.DECK or Draw.PILE"),
        ((Card("Ks"),), None, "draw is None, but must be"),
    ],
)
def test_a_burn_of_what_is_no_card_or_no_source_is_a_type_error(
    given_cards: Any, draw: Any, error: str
) -> None:
    """Raised where it was made, in the bot's own code, and it says what to write instead."""
    with pytest.raises(TypeError, match=error):
        Burn(given_cards, draw)


def test_a_list_of_cards_is_taken_as_a_tuple() -> None:
    """So that a burn can always be hashed."""
    listed: Any = list(cards("Ks Kh"))
    assert hash(Burn(listed)) == hash(burn("Ks Kh"))


@pytest.mark.parametrize(
    ("named", "draw", "error"),
    [
        ("10s", "deck", "no such card: '10s'"),
        ("Ks", "hand", "no such source to draw from: 'hand'; there are: deck, pile"),
    ],
)
def test_a_text_that_means_nothing_is_a_value_error(named: str, draw: str, error: str) -> None:
    """It says what there is."""
    with pytest.raises(ValueError, match=error):
        burn(named, draw)


@given(hand=card_sets, from_pile=st.booleans())
def test_burns_lists_every_set_of_one_rank_once_for_each_source(
    hand: set[Card], from_pile: bool
) -> None:
    """As a count over all subsets of the hand gives them."""
    sources = [Draw.DECK, Draw.PILE] if from_pile else [Draw.DECK]
    expected = {
        Burn(chosen, source)
        for size in range(1, 5)
        for chosen in itertools.combinations(sorted(hand), size)
        if len({card.rank for card in chosen}) == 1
        for source in sources
    }
    listed = burns(sum(card.bit for card in hand), from_pile=from_pile)
    assert set(listed) == expected
    assert len(listed) == len(expected)


def test_burns_come_by_rank_then_size_then_card_order_the_deck_first() -> None:
    """A fixed order, so that a seeded bot can be reproduced."""
    hand = sum(card.bit for card in cards("2h As 2s"))
    assert [str(action) for action in burns(hand, from_pile=True)] == [
        "burn As, draw from the deck",
        "burn As, draw from the pile",
        "burn 2s, draw from the deck",
        "burn 2s, draw from the pile",
        "burn 2h, draw from the deck",
        "burn 2h, draw from the pile",
        "burn 2s 2h, draw from the deck",
        "burn 2s 2h, draw from the pile",
    ]
