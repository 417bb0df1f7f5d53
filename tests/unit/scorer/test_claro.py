"""RULINGS, Claro: every worked example, and the deck."""

from __future__ import annotations

import json
from collections import deque
from itertools import chain
from typing import Any

import pytest
from scorer_chance import Chance
from scorer_claro import CARDS, STANDARD_DECK, Round, Table, check_deck, read_deck
from scorer_lines import Refused
from scorer_ranks import ranks_of

DECK = read_deck(None)
CHANCE = Chance(bytes(32), "claro")


def fitting(top: str, hand: str) -> list[str]:
    """The cards of a hand that fit a top card."""
    return [card for card in hand.split() if DECK.fits(card, top)]


def started(*hands: str) -> Round:
    """A round with these hands that seat 0 leads."""
    return Round(DECK, [hand.split() for hand in hands], 0)


def spread(*hands: str, discard: list[str], draw: int) -> Table:
    """A table with these hands and this discard pile; the draw pile takes from what is left."""
    held = [hand.split() for hand in hands]
    used = {*discard, *chain(*held)}
    left = [card for card in CARDS if card not in used]
    return Table(DECK, CHANCE, held, deque(left[:draw]), list(discard), [0] * len(hands))


@pytest.mark.parametrize(
    ("top", "hand", "fits"),
    [
        ("28", "12 20 27 31 J1", "20 31 J1"),
        ("31", "20 30 32 J1 5", "32"),
        ("J2", "1 2 43 50 J1", "2 50 J1"),
        ("J2", "1 3 41 43", ""),
        ("50", "49 8 3 J1 14", "49 8 J1 14"),
        ("24", "12 16 23 18 6", "12 18 6"),
        ("1", "2", "2"),
    ],
)
def test_examples_1_to_3_what_fits(top: str, hand: str, fits: str) -> None:
    assert fitting(top, hand) == fits.split()


def test_example_1_whoever_has_a_fitting_card_may_not_pass() -> None:
    play = started("28 1", "12 20 27 31 J1", "3")
    play.play("28")
    assert play.choices() == ["20", "31", "J1"]
    with pytest.raises(Refused, match="20 31 J1 may be played"):
        play.skip()


def test_example_4_jokers_and_stars_go_down_again() -> None:
    pairs = [("48", "J1"), ("J1", "2"), ("2", "3")]
    assert all(DECK.fits(card, top) for top, card in pairs)
    assert not DECK.fits("1", "2")
    assert not DECK.fits("2", "3")


def test_example_5_a_round_with_its_refills() -> None:
    table = spread("44 38 21 23 28", "1 3 5 7 2", "46 10 13 15 17", discard=[], draw=40)
    play = Round(DECK, table.hands, 0)
    play.play("44")
    play.skip()
    assert play.choices() == ["46"]
    play.play("46")
    assert (play.seat, play.choices()) == (0, [])
    play.skip()
    assert (play.end, play.winner) == ("passed", 2)
    table.discard += play.played
    assert len(table.refill(2).cards) == 1
    table.throw(0, ["21", "23"])
    table.throw(1, ["1", "3", "5", "7"])
    table.discard += ["21", "23", "1", "3", "5", "7"]
    assert [len(table.refill(seat).cards) for seat in (0, 1)] == [3, 4]
    assert (len(table.draw), len(table.discard)) == (32, 8)


def test_example_6_when_all_have_played_their_last_card_the_last_to_play_wins() -> None:
    table = spread("1 7 13 19 25", "3 9 15 21 27", "5 11 17 23 29", discard=[], draw=40)
    play = Round(DECK, table.hands, 0)
    for number in range(1, 31, 2):
        assert play.end is None
        play.play(str(number))
    assert (play.end, play.winner) == ("played_out", 2)
    table.discard += play.played
    assert [len(table.refill(seat).cards) for seat in (2, 0, 1)] == [5, 5, 5]
    assert (len(table.draw), len(table.discard)) == (25, 15)


@pytest.mark.parametrize(("last", "winner"), [("29", 2), ("23", 0)])
def test_example_7_a_seat_without_cards_wins_unless_somebody_plays_on(
    last: str, winner: int
) -> None:
    play = started("25", "1 3", f"{last}")
    play.play("25")
    play.skip()
    if play.choices():
        play.play(last)
    else:
        play.skip()
    assert play.winner == winner
    assert play.end == ("played_out" if last == "29" else "passed")


def test_example_8_one_card_can_win_a_round() -> None:
    play = started("43 1 2 3 4", "1 3 5 7 J1", "11 13 15 17 19")
    play.play("43")
    play.skip()
    play.skip()
    assert (play.end, play.winner, play.played) == ("passed", 0, ["43"])


def test_example_9_a_joker_may_lead() -> None:
    play = started("J1 2", "35 37 39 41 43", "48 49")
    play.play("J1")
    play.skip()
    play.play("48")
    assert DECK.fits("49", "48")


def test_example_10_the_discard_pile_is_shuffled_in_the_middle_of_a_refill() -> None:
    # 55 cards: 2 to draw, 35 discarded (the 12 just played among them), 18 in hands.
    hands = ["1 2 3", "4 5 6", "7 8 9", "10 11 12", "13 14 15", "16 17 18"]
    table = spread(*hands, discard=list(CARDS[18:53]), draw=2)
    assert table.refill(0).cards == ["J4", "J5"]
    thrown = ["4", "7", "10", "13"]
    for seat, card in enumerate(thrown, 1):
        table.throw(seat, [card])
    table.discard += thrown
    refills = [table.refill(seat) for seat in range(1, 6)]
    assert sum(len(refill.cards) for refill in refills) == 14
    assert [len(refill.new_pile or ()) for refill in refills] == [39, 0, 0, 0, 0]
    assert (len(table.draw), table.discard, table.reshuffles) == (25, [], 1)


def test_example_11_the_winner_is_first_and_the_others_rank_by_stars() -> None:
    stars = [2, 2, 3, 2, 2, 2]
    assert ranks_of([-count for count in stars]) == [2, 2, 1, 2, 2, 2]


def test_ruling_4_seats_that_passed_or_have_no_cards_are_left_out() -> None:
    play = started("10 50", "1 3", "11", "12 13")
    play.play("10")
    play.skip()
    play.play("11")
    play.play("12")
    assert play.seat == 0
    play.play("50")
    assert (play.end, play.seat) == (None, 3)
    play.skip()
    assert (play.end, play.winner) == ("played_out", 0)


def test_ruling_4_a_card_that_is_not_held_or_does_not_fit_is_refused() -> None:
    play = started("10 50", "1 3 11", "11")
    with pytest.raises(Refused, match="does not hold"):
        play.play("12")
    play.play("10")
    with pytest.raises(Refused, match="does not fit"):
        play.play("3")


@pytest.mark.parametrize("cards", [["1"], ["2", "2"]])
def test_ruling_6_discards_must_be_held_and_named_once(cards: list[str]) -> None:
    table = spread("2 3", "4", "5", discard=[], draw=10)
    with pytest.raises(Refused, match="discards"):
        table.throw(0, cards)


def test_claro_deals_five_each_from_seat_0_with_round_0s_stream() -> None:
    cards = CHANCE.deal(CARDS, 0)
    table = Table.dealt(DECK, CHANCE, 4)
    assert table.hands == [cards[seat:20:4] for seat in range(4)]
    assert list(table.draw) == cards[20:]


def _deck(index: int, **changes: object) -> dict[str, Any]:
    deck: dict[str, Any] = json.loads(STANDARD_DECK.read_bytes())
    deck["cards"][index] |= changes
    return deck


@pytest.mark.parametrize(
    "deck",
    [
        _deck(0, number=2),
        _deck(0, number=51),
        _deck(0, number=None),
        _deck(0, stars=["green"]),
        _deck(1, stars=["yellow", "yellow"]),
        _deck(1, id="n01"),
        _deck(54, stars=["yellow"]),
        _deck(54, number=7),
        _deck(0) | {"star_colours": ["yellow", "blue", "pink", "red"]},
        _deck(0) | {"cards": []},
    ],
)
def test_ruling_1_a_deck_that_is_not_as_it_should_be_is_refused(deck: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        check_deck(deck)


def test_ruling_1_another_deck_may_be_given_by_its_path_or_contents(tmp_path: Any) -> None:
    other = _deck(0, stars=["pink"])
    path = tmp_path / "deck.json"
    path.write_text(json.dumps(other))
    assert read_deck(str(path)).fits("1", "50")
    assert read_deck(other).fits("1", "50")
    assert not DECK.fits("1", "50")
    with pytest.raises(Refused, match="can't be read"):
        read_deck(str(tmp_path / "none.json"))
