"""RULINGS, Claim!: every worked example, and the rulings on how rounds and matches end."""

from __future__ import annotations

from collections import deque

import pytest
from scorer_cards import value
from scorer_chance import Chance
from scorer_claim import Claim
from scorer_lines import Refused
from scorer_round import Round

CHANCE = Chance(bytes(32), "claim")
RULES = Claim({})


def table(*hands: str, deck: str = "3c 4c 5c 6c", zero: str = "8d", rules: Claim = RULES) -> Round:
    """A round with these hands in which seat 0 begins."""
    return Round(rules, CHANCE, 1, zero, [hand.split() for hand in hands], deque(deck.split()))


def test_example_1_a_pair_goes_and_a_two_comes() -> None:
    play = table("As 9s 3s 3h", "Ks", deck="2c 4c", zero="9d")
    assert play.values()[0] == 7
    play.burn(["3s", "3h"], "deck")
    assert play.values()[0] == 3


@pytest.mark.parametrize(
    ("hands", "points"),
    [
        ([3, 5, 11], [0, 5, 11]),
        ([3, 3, 11], [50, 3, 11]),
        ([9, 3, 9, 10, 20], [50, 3, 9, 10, 20]),
    ],
)
def test_example_2_a_wrong_claim_costs_a_flat_fifty(hands: list[int], points: list[int]) -> None:
    assert RULES.claim_points(0, hands) == points


@pytest.mark.parametrize(("laps", "first"), [(2, 7), (0, 1), (10, 31)])
def test_example_3_claims_open_when_the_seat_has_completed_its_laps(laps: int, first: int) -> None:
    play = table("Ks", "Qs", "Js", rules=Claim({"claim_laps": laps}))
    legal = []
    for turn in range(1, 40):
        play.burns = turn - 1
        if play.claim_fault() is None:
            legal.append(turn)
    assert legal == list(range(first, 40))


def test_example_4_a_claim_has_no_limit() -> None:
    play = table("Ks Kh Qs", "Qh", "Ts Th Td")
    play.burns = 6
    assert play.values() == [41, 13, 30]
    play.claim()
    assert play.points() == [50, 13, 30]
    assert RULES.claim_points(0, [41, 12, 30]) == [50, 12, 30]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_example_5_one_to_four_of_a_rank_may_go(count: int) -> None:
    play = table("8s 8h 8d 8c", "Ks", zero="9d")
    play.burn(["8s", "8h", "8d", "8c"][:count], "deck")
    assert len(play.hands[0]) == 5 - count


@pytest.mark.parametrize(
    ("totals", "ranks"), [([300, 190, 292], [3, 1, 2]), ([299, 190, 292], None)]
)
def test_example_6_reaching_the_target_ends_the_match(
    totals: list[int], ranks: list[int] | None
) -> None:
    ended = RULES.over(totals)
    assert (RULES.ranks(totals, [0] * 3, [0] * 3) if ended else None) == ranks


@pytest.mark.parametrize(
    ("claims", "hands", "ranks"),
    [
        ([4, 3, 0], [7, 5, 9], [1, 2, 3]),
        ([3, 3, 0], [7, 5, 9], [2, 1, 3]),
        ([3, 3, 0], [5, 5, 9], [1, 1, 3]),
    ],
)
def test_example_7_ties_go_to_more_claims_then_to_the_lower_last_hand(
    claims: list[int], hands: list[int], ranks: list[int]
) -> None:
    assert RULES.ranks([120, 120, 305], claims, hands) == ranks


def test_example_8_the_last_hand_counts_and_not_the_points_added_for_it() -> None:
    points = RULES.claim_points(0, [4, 6, 3])
    totals = RULES.new_totals([70, 114, 297], points)
    assert (points, totals) == ([50, 6, 3], [120, 120, 300])
    assert RULES.ranks(totals, [2, 2, 2], [4, 6, 3]) == [1, 2, 3]


def test_example_9_both_past_the_target() -> None:
    totals = RULES.new_totals([290, 295], RULES.claim_points(0, [5, 5]))
    assert totals == [340, 300]
    assert RULES.over(totals)
    assert RULES.ranks(totals, [0, 0], [5, 5]) == [2, 1]
    assert Claim({"target": 50}).over([0, 50])


def test_example_10_the_whole_discard_pile_is_shuffled_and_nothing_may_be_taken() -> None:
    play = table("9s As", "Ts Ks", deck="Jc")
    play.pile = ["2s", "Kd", "6s", "6h"]
    play.burn(["9s"], "deck")
    assert play.reshuffle_due
    assert sorted(play.reshuffle()) == sorted(["2s", "Kd", "6s", "6h", "9s"])
    assert (play.pile, play.takeable) == ([], None)
    with pytest.raises(Refused, match="nothing may be taken"):
        play.burn(["Ts"], "pile")


@pytest.mark.parametrize(
    ("seats", "deck"), [(2, 43), (3, 39), (4, 35), (5, 31), (6, 27), (7, 23), (8, 19)]
)
def test_example_11_and_ruling_1_four_cards_each_and_the_first_seat_draws_from_the_draw_pile(
    seats: int, deck: int
) -> None:
    play = Round.dealt(RULES, CHANCE, 1, seats)
    assert len(play.deck) == deck
    with pytest.raises(Refused, match="nothing may be taken"):
        play.burn([play.hands[0][0]], "pile")


def test_ruling_3_the_draw_pile_is_shuffled_anew_as_often_as_needed() -> None:
    play = table("9s As", "Ts Ks", deck="Jc")
    play.pile, play.run_outs = ["2s", "Kd", "6s", "6h"], 9
    play.burn(["9s"], "deck")
    assert play.end is None


def test_x8_at_a_cap_everyone_adds_the_hand_and_no_claim_counts() -> None:
    play = table("Ks Kh", "2s", rules=Claim({"max_laps": 3}))
    while play.end is None:
        play.burn([play.hands[play.seat][0]], "deck" if len(play.deck) > 1 else "pile")
    assert (play.end, play.burns, play.claimer) == ("max_laps", 6, None)
    assert play.points() == [value(hand, play.zero) for hand in play.hands]


@pytest.mark.parametrize(
    "options",
    [
        {"target": 49},
        {"target": 1001},
        {"claim_laps": 11},
        {"claim_laps": -1},
        {"claim_laps": 3, "max_laps": 3},
        {"joker": 1},
    ],
)
def test_what_is_no_option_of_claim_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(Refused):
        Claim(options)
