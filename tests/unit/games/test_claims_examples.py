"""The worked examples of RULINGS, "Claims" 1 to 15: each line is a test."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from arena.games import Phase
from arena.games.chance import SEED_BYTES
from arenabot.actions import CLAIM, Burn
from arenabot.cards import cards
from arenabot.events import MatchReason, Reshuffle, RoundReason
from tests.unit.games.positions import action, end, last, play, position

BYSTANDER = "Kc Qc"


@pytest.mark.parametrize(("zero", "worth"), [("7h", 37), ("Jh", 32)])
def test_example_1_the_joker_rank_decides_what_a_hand_costs(zero: str, worth: int) -> None:
    """A,7,T,J,K cost 37 when sevens are free and 32 when jacks are."""
    assert position("As 7s Ts Js Ks", BYSTANDER, zero=zero).hand_points(0) == worth


def test_example_2_every_set_of_one_rank_may_be_burned() -> None:
    """K,K,K,5,5 can be burned in ten ways."""
    state = position("Ks Kh Kd 5s 5h", BYSTANDER, zero="7s")
    sets = [act.cards for act in state.legal_actions() if isinstance(act, Burn)]
    by_size = Counter((held[0].rank, len(held)) for held in sets)
    king, five = cards("Ks 5s")
    assert by_size == {
        (king.rank, 1): 3,
        (king.rank, 2): 3,
        (king.rank, 3): 1,
        (five.rank, 1): 2,
        (five.rank, 2): 1,
    }


@pytest.mark.parametrize(
    ("hand", "turn", "may"),
    [("2s 3s 4s", 1, False), ("2s 3s 5s", 3, True), ("2s 4s 5s", 3, False)],
    ids=["first turn, 9", "second turn, 10", "second turn, 11"],
)
def test_example_3_a_claim_waits_for_the_second_turn_and_ten_points(
    hand: str, turn: int, may: bool
) -> None:
    """Nobody claims on a first turn; later a hand of 10 may and one of 11 may not."""
    state = position(hand, BYSTANDER, zero="7s", turn=turn)
    assert (CLAIM in state.legal_actions()) is may


def test_example_4_only_the_top_of_the_previous_burn_may_be_taken() -> None:
    """After Qs, Qh the next player takes Qh, and the one after may have the nine on top."""
    state = play(position("Qs Qh 2s", "9s 9h 4d", zero="7s", deck="3c"), "Qs Qh", "9s 9h<")
    assert state.hand(1) == cards("Qh 4d")
    assert state.hand_points(1) == 17
    assert state.takeable == cards("9h")[0]
    assert state.places()["pile"] == cards("Qs 9s 9h")


def test_example_5_older_pile_cards_and_ones_own_are_never_taken() -> None:
    """After 8, K, 3 by turns, seat 0 takes the king, not the 8 below nor its own 3."""
    state = position("8s 3s 4s", "Ks 6s", zero="7s", deck="Ah Ad")
    play(state, "8s", "Ks")
    assert state.takeable == cards("Ks")[0]
    play(state, "3s<")
    assert state.hand(0) == cards("4s Ks Ah")
    assert state.places()["pile"] == cards("8s 3s")


@pytest.mark.parametrize(
    ("hands", "added"),
    [
        (["6s", "7s", "5s Ts", "9s Qs"], [0, 7, 15, 22]),
        (["6s", "6h", "5s Ts", "9s Qs"], [50, 6, 15, 22]),
        (["9s", "3s", "9h", "Ts", "Th Td"], [100, 3, 9, 10, 20]),
        (["8s", "8h", "4s"], [50, 0, 4]),
        (["8s", "As", "4s"], [0, 1, 4]),
    ],
    ids=["alone lowest", "a tie", "two at or below", "zero against zero", "zero alone"],
)
def test_example_6_what_a_claim_adds(hands: list[str], added: list[int]) -> None:
    """A claimer adds 0, or 50 for each other at or below; the others add their hand."""
    state = position(*hands, zero="8d", turn=len(hands) + 1)
    state.apply(CLAIM)
    assert list(end(state).points) == added
    assert end(state).claimer == 0
    assert end(state).success is (added[0] == 0)


# Hands worth so many points with sevens free; kings 14, queens 13, jacks 12.
HANDS = {
    0: "7h",
    10: "Ts",
    20: "Jh 8h",
    22: "9d Qd",
    32: "Kd 8d Td",
    33: "Kd 9s Td",
    41: "Kc Qc 4c Tc",
}


@pytest.mark.parametrize(
    ("totals", "added", "after", "winners"),
    [
        ([268, 120, 250], [32, 0, 41], (0, 120, 291), None),
        ([268, 120, 250], [33, 0, 41], (301, 120, 291), (1,)),
    ],
    ids=["exactly 300", "over 300"],
)
def test_example_7_the_target_exactly_is_forgiven_and_passing_it_ends_the_match(
    totals: list[int], added: list[int], after: tuple[int, ...], winners: tuple[int, ...] | None
) -> None:
    """268 and 32 make 0 and play goes on; 268 and 33 end the match."""
    state = position(*(HANDS[cost] for cost in added), zero="7s", turn=5, totals=totals)
    state.apply(CLAIM)
    assert end(state).points == tuple(added)
    assert state.totals == after
    if winners is None:
        assert state.phase is Phase.ROUND_OVER
    else:
        assert state.phase is Phase.OVER
        assert state.result().winners == winners


@pytest.mark.parametrize(
    ("hands", "claimer", "sums"),
    [
        (["Ts", "9s As", HANDS[22]], 0, "250+50=0 295+10=305 40+22=62"),
        (["Ts", HANDS[20], "9s As", "7h"], 3, "290+10=0 280+20=0 291+10=301 40+0=40"),
    ],
    ids=["a failed claim resets too", "two share the win"],
)
def test_example_8_resets_come_before_the_end_is_looked_at(
    hands: list[str], claimer: int, sums: str
) -> None:
    """Totals that hit 300 become 0, then a total over 300 ends the match."""
    totals, added, after = zip(
        *(map(int, re.split("[+=]", each)) for each in sums.split()), strict=True
    )
    state = position(*hands, zero="7s", turn=len(hands) + 1 + claimer, totals=totals)
    state.apply(CLAIM)
    assert end(state).points == added
    assert state.totals == after
    assert state.phase is Phase.OVER
    assert state.result().reason is MatchReason.TARGET
    assert state.result().ranks == ((1, 3, 2) if len(hands) == 3 else (1, 1, 4, 3))
    assert state.result().winners == ((0,) if len(hands) == 3 else (0, 1))


def test_example_9_a_claim_that_fails_six_times_over_hits_the_target() -> None:
    """Seven players at 0: the claimer holds 10, the others 1 to 6: 300 becomes 0."""
    state = position("Ts", "As", "2s", "3s", "4s", "5s", "6s", zero="7s", turn=8)
    state.apply(CLAIM)
    assert end(state).points == (300, 1, 2, 3, 4, 5, 6)
    assert state.totals == (0, 1, 2, 3, 4, 5, 6)
    assert state.phase is Phase.ROUND_OVER


def test_example_10_a_short_match_forgives_at_150() -> None:
    """Short: 100,120,130 plus 50,0,20 -> 0,120,0, and play goes on."""
    state = position("Ts", "7h", HANDS[20], zero="7s", turn=4, totals=[100, 120, 130], target=150)
    state.apply(CLAIM)
    assert end(state).points == (50, 0, 20)
    assert state.totals == (0, 120, 0)
    assert state.phase is Phase.ROUND_OVER


def test_example_11_after_the_fourth_run_out_the_lowest_hands_add_nothing() -> None:
    """Hands 12,5,5 as the deck runs out a fourth time -> 12,0,0."""
    state = position("Ks", "5s", "5h", zero="7s", deck="Js", whole_deck=True, reshuffles=3)
    play(state, "Ks")
    assert end(state).reason is RoundReason.DECK
    assert end(state).points == (12, 0, 0)
    assert (end(state).claimer, end(state).success) == (None, False)


def test_example_12_the_top_card_stays_when_the_pile_is_shuffled() -> None:
    """Pile 4,9,9,Q,2 as the deck empties: the 2 stays, the new deck holds 4,9,9,Q."""
    state = position("4s Qs", "9s 9h 2s", zero="7s", deck="As Ah Ad Ac", whole_deck=True)
    play(state, "4s", "9s 9h", "Qs", "2s")
    reshuffle = last(state)
    assert isinstance(reshuffle, Reshuffle)
    assert sorted(reshuffle.deck or ()) == sorted(cards("4s 9s 9h Qs"))
    assert state.places()["pile"] == cards("2s")
    assert state.takeable == cards("2s")[0]


def test_example_13_a_timeout_burns_one_card_each_as_likely() -> None:
    """K,K,3: one card goes, each with chance 1/3, and the hand still has three cards."""
    picked: Counter[str] = Counter()
    state = position("Ks Kh 3s", BYSTANDER, zero="7s", deck="2c")
    for number in range(3000):
        state.seed = number.to_bytes(SEED_BYTES, "big")
        default = state.default_action()
        assert len(default.cards) == 1
        picked[str(default.cards[0])] += 1
    expected = 1000
    chi_square = sum((count - expected) ** 2 / expected for count in picked.values())
    assert len(picked) == 3
    assert chi_square < 13.8, f"two degrees of freedom, one in a thousand: {picked}"
    state.apply(state.default_action(), default=True)
    assert len(state.hand(0)) == 3


def test_example_14_taking_from_the_pile_for_ever_ends_by_stall_laps() -> None:
    """Seats 0 and 1 hold K and Q, a J was burned last, and both always take from the pile."""
    state = play(position("9s", "Js", zero="7d", deck="Kh Qh"), "9s", "Js")
    assert (state.hand(0), state.hand(1)) == (cards("Kh"), cards("Qh"))
    turns = 0
    while state.phase is Phase.PLAYING:
        play(state, f"{state.hand(state.seat)[0]}<")
        turns += 1
    assert end(state).reason is RoundReason.STALL_LAPS
    assert turns == 20 * 2


def test_example_15_a_round_card_by_card() -> None:
    """Two players, joker 7s, from the deal to a claim that holds."""
    state = position("Ks Kh 9s 4s As", "Qs Js 7h 7d 2s", zero="7s", deck="3c Td 5h 2c 6d 8s")
    assert (state.hand_points(0), state.hand_points(1)) == (42, 27)
    for seat, move, drawn, cost in [
        (0, "Ks Kh", "3c", 17),
        (1, "Qs", "Td", 24),
        (0, "9s", "5h", 13),
        (1, "Js", "2c", 14),
        (0, "5h", "6d", 14),
        (1, "Td<", "5h", 9),
        (0, "6d", "8s", 16),
    ]:
        assert state.to_act == (seat,)
        play(state, move)
        assert state.events[-1] == (seat, action(move), cards(drawn)[0], False)
        assert state.hand_points(seat) == cost
    assert len(state.places()["deck"]) == 35
    assert len(state.places()["pile"]) == 7
    assert state.to_act == (1,)
    state.apply(CLAIM)
    assert end(state).points == (16, 0)
    assert (end(state).claimer, end(state).success) == (1, True)
    assert state.totals == (16, 0)
    assert state.phase is Phase.ROUND_OVER
