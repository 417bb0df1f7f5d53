"""RULINGS, Claims: every worked example, and the rulings on how rounds and matches end."""

from __future__ import annotations

from collections import Counter, deque
from itertools import chain, combinations

import pytest
from scorer_burning import match_end
from scorer_cards import CARDS, burn_fault, value
from scorer_chance import Chance
from scorer_claims import Claims
from scorer_lines import Refused
from scorer_round import Round

CHANCE = Chance(bytes(32), "claims")
CLASSIC = Claims({})
SHORT = Claims({"target": 150})


def table(
    *hands: str, deck: str = "3c 4c 5c 6c", zero: str = "8d", rules: Claims = CLASSIC
) -> Round:
    """A round with these hands in which seat 0 begins."""
    return Round(rules, CHANCE, 1, zero, [hand.split() for hand in hands], deque(deck.split()))


def after(table: Round, burns: int) -> Round:
    """The round when so many turns have been played."""
    table.burns = burns
    return table


def settle(
    rules: Claims, totals: list[int], points: list[int]
) -> tuple[list[int], list[int] | None]:
    """The totals after a round, and the ranks if the match ends with it."""
    totals = rules.new_totals(totals, points)
    return totals, rules.ranks(totals, [], []) if rules.over(totals) else None


@pytest.mark.parametrize(("zero", "points"), [("7c", 37), ("Jc", 32)])
def test_example_1_the_joker_rank_is_worth_nothing(zero: str, points: int) -> None:
    assert value(["As", "7h", "Td", "Js", "Kh"], zero) == points


def test_example_2_a_hand_of_three_kings_and_two_fives_has_ten_burns() -> None:
    hand = ["Ks", "Kh", "Kd", "5s", "5h"]
    burns = [set_ for size in range(6) for set_ in combinations(hand, size)]
    assert sum(burn_fault(hand, burn) is None for burn in burns) == 10


@pytest.mark.parametrize(
    ("hand", "burns", "legal"),
    [("4s 5h", 0, False), ("4s 5h", 1, False), ("2s 3h 5d", 2, True), ("2s 4h 5d", 2, False)],
)
def test_example_3_a_claim_needs_a_second_turn_and_ten_or_less(
    hand: str, burns: int, legal: bool
) -> None:
    seats = ["Ks", "Ks"]
    seats[burns % 2] = hand
    assert (after(table(*seats), burns).claim_fault() is None) is legal


def test_example_4_only_the_top_of_the_previous_burn_may_be_taken() -> None:
    play = table("Qs Qh As", "9s 9h 4d", "2s")
    play.burn(["Qs", "Qh"], "deck")
    assert play.burn(["9s", "9h"], "pile") == "Qh"
    assert value(play.hands[1], play.zero) == 17
    assert play.takeable == "9h"


def test_example_5_with_two_players_ones_own_earlier_burn_is_out_of_reach() -> None:
    play = table("8s 3s As", "Kd 2s", zero="7d")
    play.burn(["8s"], "deck")
    play.burn(["Kd"], "deck")
    assert play.burn(["3s"], "pile") == "Kd"
    assert play.pile == ["8s", "3s"]


@pytest.mark.parametrize(
    ("hands", "points"),
    [
        ([6, 7, 15, 22], [0, 7, 15, 22]),
        ([6, 6, 15, 22], [50, 6, 15, 22]),
        ([9, 3, 9, 10, 20], [100, 3, 9, 10, 20]),
        ([0, 0, 4], [50, 0, 4]),
        ([0, 1, 4], [0, 1, 4]),
    ],
)
def test_example_6_a_wrong_claim_costs_fifty_for_each_hand_at_or_below(
    hands: list[int], points: list[int]
) -> None:
    assert CLASSIC.claim_points(0, hands) == points


@pytest.mark.parametrize(
    ("totals", "points", "after_round", "ranks"),
    [
        ([268, 120, 250], [32, 0, 41], [0, 120, 291], None),
        ([268, 120, 250], [33, 0, 41], [301, 120, 291], [3, 1, 2]),
        ([250, 295, 40], [50, 10, 22], [0, 305, 62], [1, 3, 2]),
        ([290, 280, 291, 40], [10, 20, 10, 0], [0, 0, 301, 40], [1, 1, 4, 3]),
    ],
)
def test_examples_7_and_8_a_total_that_hits_the_target_resets_before_the_end_is_looked_at(
    totals: list[int], points: list[int], after_round: list[int], ranks: list[int] | None
) -> None:
    assert settle(CLASSIC, totals, points) == (after_round, ranks)


def test_example_9_a_claim_beaten_by_six_adds_the_target_and_resets() -> None:
    points = CLASSIC.claim_points(0, [10, 1, 2, 3, 4, 5, 6])
    assert points[0] == 300
    assert settle(CLASSIC, [0] * 7, points) == ([0, 1, 2, 3, 4, 5, 6], None)


def test_example_10_the_short_match_resets_at_150() -> None:
    assert settle(SHORT, [100, 120, 130], [50, 0, 20]) == ([0, 120, 0], None)


def test_example_11_the_fourth_run_out_ends_the_round_and_the_lowest_hands_add_nothing() -> None:
    play = table("Qs As", "5h", "5d", deck="Jc")
    play.run_outs = 3
    play.burn(
        [
            "Qs",
        ],
        "deck",
    )
    assert (play.end, play.reshuffle_due) == ("deck", False)
    assert CLASSIC.end_points([12, 5, 5]) == [12, 0, 0]
    assert play.points() == [13, 0, 0]


def test_the_third_run_out_goes_on() -> None:
    play = table("Qs As", "5h", deck="Jc")
    play.run_outs = 2
    play.burn(["Qs"], "deck")
    assert (play.end, play.reshuffle_due) == (None, True)


def test_example_12_a_reshuffle_leaves_the_top_card_which_may_be_taken() -> None:
    play = table("As", "Ks", deck="")
    play.pile = ["4s", "9s", "9h", "Qs", "2s"]
    assert sorted(play.reshuffle()) == sorted(["4s", "9s", "9h", "Qs"])
    assert (play.pile, play.takeable, play.reshuffles) == (["2s"], "2s", 1)


def test_a_reshuffle_starts_from_canonical_order_whatever_the_order_of_the_pile() -> None:
    decks = []
    for pile in (["4s", "9s", "9h", "Qs", "2s"], ["Qs", "9h", "4s", "9s", "2s"]):
        play = table("As", "Ks", deck="")
        play.pile = pile
        decks.append(play.reshuffle())
    assert decks[0] == decks[1]


def test_example_13_a_default_move_burns_each_card_with_equal_chance_and_draws() -> None:
    picks = Counter(after(table("Ks Kh 3d", "2s"), 2 * k).default() for k in range(3000))
    assert picks.keys() == {"Ks", "Kh", "3d"}
    assert all(900 < count < 1100 for count in picks.values())
    play = table("Ks Kh 3d", "2s")
    play.burn([play.default()], "deck")
    assert len(play.hands[0]) == 3


def test_example_14_two_hands_that_only_swap_with_the_pile_end_by_stall_laps() -> None:
    play = table("Ks", "Qs")
    play.pile, play.takeable = ["Js"], "Js"
    while play.end is None:
        play.burn(list(play.hands[play.seat]), "pile")
    assert (play.end, play.burns) == ("stall_laps", 40)
    assert play.hands == [["Qs"], ["Js"]]  # forty turns move three cards on by one
    assert play.points() == [13, 0]


def test_a_draw_from_the_deck_begins_the_stall_anew() -> None:
    play = table("Ks", "Qs")
    play.pile, play.takeable = ["Js"], "Js"
    for source in ["pile"] * 39 + ["deck"] + ["pile"] * 39:
        play.burn(list(play.hands[play.seat]), source)
    assert play.end is None


def test_example_15_a_round_of_two_players() -> None:
    deck = "3c Td 5h 2c 6d 8s"
    rest = [
        card for card in CARDS if card not in f"{deck} Ks Kh 9s 4s As Qs Js 7h 7d 2s 7s".split()
    ]
    play = table("Ks Kh 9s 4s As", "Qs Js 7h 7d 2s", deck=" ".join([deck, *rest]), zero="7s")
    assert play.values() == [42, 27]
    turns = [
        ("Ks Kh", "deck", 17),
        ("Qs", "deck", 24),
        ("9s", "deck", 13),
        ("Js", "deck", 14),
        ("5h", "deck", 14),
        ("Td", "pile", 9),
        ("6d", "deck", 16),
    ]
    for burn, source, total in turns:
        seat = play.seat
        play.burn(burn.split(), source)
        assert play.values()[seat] == total
    play.claim()
    assert play.points() == [16, 0]
    assert (len(play.deck), len(play.pile)) == (35, 7)


@pytest.mark.parametrize(("seats", "deck"), [(2, 41), (3, 36), (4, 31), (5, 26), (6, 21), (7, 16)])
def test_ruling_1_five_cards_each_and_the_rest_is_the_deck(seats: int, deck: int) -> None:
    play = Round.dealt(CLASSIC, CHANCE, 1, seats)
    assert len(play.deck) == deck
    assert sorted([play.zero, *play.deck, *chain(*play.hands)]) == sorted(CARDS)


def test_cards_are_dealt_one_at_a_time_clockwise_from_the_starter() -> None:
    cards = CHANCE.deal(CARDS, 2)
    play = Round.dealt(CLASSIC, CHANCE, 2, 3)
    assert (play.starter, play.seat) == (1, 1)
    assert play.hands == [cards[2:15:3], cards[0:15:3], cards[1:15:3]]
    assert (play.zero, list(play.deck)) == (cards[15], cards[16:])


@pytest.mark.parametrize(
    ("burn", "source"),
    [
        ([], "deck"),
        (["Ks", "Ks"], "deck"),
        (["Qs"], "deck"),
        (["Ks", "5h"], "deck"),
        (["Ks"], "pile"),
        (["Ks"], "hand"),
    ],
    ids=["nothing", "twice", "not held", "mixed", "nothing to take", "no source"],
)
def test_x12_an_illegal_turn_is_refused_and_changes_nothing(burn: list[str], source: str) -> None:
    play = table("Ks Kh 5h", "2s")
    with pytest.raises(Refused):
        play.burn(burn, source)
    assert (play.hands, play.burns, len(play.deck)) == ([["Ks", "Kh", "5h"], ["2s"]], 0, 4)


def test_x12_any_order_of_burning_is_accepted_and_kept() -> None:
    play = table("Ks Kh 5h", "2s")
    play.burn(["Kh", "Ks"], "deck")
    assert (play.pile, play.takeable) == (["Kh", "Ks"], "Ks")


def test_x10_a_fourth_run_out_comes_before_max_laps() -> None:
    play = table("Ks", "2s", deck="Jc", rules=Claims({"max_laps": 1}))
    play.run_outs, play.burns = 3, 1
    play.burn(["2s"], "deck")
    assert play.end == "deck"


def test_x10_max_laps_comes_before_stall_laps() -> None:
    play = table("Ks", "2s", rules=Claims({"max_laps": 1, "stall_laps": 1}))
    play.pile, play.takeable = ["Js"], "Js"
    play.burn(["Ks"], "pile")
    play.burn(["2s"], "pile")
    assert play.end == "max_laps"


def test_x10_no_reshuffle_follows_a_turn_that_ends_the_round() -> None:
    play = table("Ks", "2s", deck="Jc", rules=Claims({"max_laps": 1}))
    play.burns = 1
    play.burn(["2s"], "deck")
    assert (play.end, play.reshuffle_due) == ("max_laps", False)
    assert play.points() == [14, 0]


def test_x8_max_rounds_ends_the_match_after_the_target_was_looked_at() -> None:
    rules = Claims({"max_rounds": 3})
    assert match_end(rules, [10, 20], 2) is None
    assert match_end(rules, [10, 20], 3) == "max_rounds"
    assert match_end(rules, [10, 301], 3) == "target"


def test_x11_ranks_skip_after_ties() -> None:
    assert CLASSIC.ranks([5, 30, 30, 301], [], []) == [1, 2, 2, 4]


@pytest.mark.parametrize(
    "options", [{"target": 200}, {"stall_laps": 0}, {"claim_laps": 2}, {"target": True}]
)
def test_what_is_no_option_of_claims_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(Refused):
        Claims(options)
