"""The worked examples of RULINGS, "Claim!" 1 to 11: each line is a test."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.games import Phase, game
from arenabot.actions import CLAIM, Burn, Draw
from arenabot.cards import cards
from arenabot.events import Reshuffle
from tests.unit.games.positions import SEED, claim_position, end, last, play

BYSTANDER = "Kc Qc Jc Tc"


def test_example_1_the_trump_rank_costs_nothing() -> None:
    """Trump 9: A,9,3,3 cost 7; discarding both threes and drawing a two leaves 3."""
    state = claim_position("As 9s 3s 3h", BYSTANDER, zero="9h", deck="2d")
    assert state.hand_points(0) == 7
    play(state, "3s 3h")
    assert state.hand(0) == cards("As 9s 2d")
    assert state.hand_points(0) == 3


@pytest.mark.parametrize(
    ("hands", "added"),
    [
        (["3s", "5s", "Ts As"], [0, 5, 11]),
        (["3s", "3h", "Ts As"], [50, 3, 11]),
        (["9s", "3s", "9h", "Ts", "Th Td"], [50, 3, 9, 10, 20]),
    ],
    ids=["alone lowest", "a tie", "several at or below"],
)
def test_example_2_what_a_claim_adds(hands: list[str], added: list[int]) -> None:
    """A claimer adds 0, or a flat 50 however many are at or below; the others add their hand."""
    state = claim_position(*hands, zero="8d", turn=2 * len(hands) + 1)
    state.apply(CLAIM)
    assert list(end(state).points) == added
    assert (end(state).claimer, end(state).success) == (0, added[0] == 0)


@pytest.mark.parametrize(("laps", "first"), [(2, 7), (0, 1), (10, 31)])
def test_example_3_the_first_turn_in_which_a_claim_is_legal(laps: int, first: int) -> None:
    """Three players: the round's 7th turn with two laps, the 1st with none, one's own 11th."""
    state = game("claim").new_match(
        seats=3, seed=SEED, options=game("claim").options({"claim_laps": laps})
    )
    while CLAIM not in state.legal_actions():
        assert state.turn < first
        state.apply(state.default_action(), default=True)
    assert state.turn == first


def test_example_4_a_claim_has_no_limit() -> None:
    """Third turn, a hand of 41: the claim is legal, and fails."""
    state = claim_position("Ks Qs 4s Ts", "Js", "Kd Qd 3d", zero="7s", turn=7)
    assert CLAIM in state.legal_actions()
    state.apply(CLAIM)
    assert end(state).points == (50, 12, 30)


def test_example_5_one_to_four_of_a_rank_may_go() -> None:
    """Of 8,8,8,8 any set; all four leave a hand of one."""
    state = claim_position("8s 8h 8d 8c", BYSTANDER, zero="7s")
    sizes = Counter(len(act.cards) for act in state.legal_actions() if isinstance(act, Burn))
    assert sizes == {1: 4, 2: 6, 3: 4, 4: 1}
    play(state, "8s 8h 8d 8c")
    assert len(state.hand(0)) == 1


@pytest.mark.parametrize(("before", "over"), [(250, True), (249, False)])
def test_example_6_the_match_ends_when_a_total_reaches_the_target(before: int, over: bool) -> None:
    """300,190,292 is over and seat 1 wins; with 299 play goes on."""
    state = claim_position(
        "3s", "7h", "Js", zero="7s", turn=7, totals=[before, 190, 280], claim_laps=2
    )
    state.apply(CLAIM)
    assert state.totals == (before + 50, 190, 292)
    assert state.phase is (Phase.OVER if over else Phase.ROUND_OVER)
    if over:
        assert state.result().winners == (1,)
        assert state.result().ranks == (3, 1, 2)


@pytest.mark.parametrize(
    ("good", "hands", "ranks"),
    [
        ([4, 3, 0], ["7h 7d 6s As", "5s"], (1, 2, 3)),
        ([3, 3, 0], ["6s As", "5s"], (2, 1, 3)),
        ([3, 3, 0], ["5h", "5s"], (1, 1, 3)),
    ],
    ids=["more good claims", "the lower last hand", "shared"],
)
def test_example_7_how_a_tie_is_broken(
    good: list[int], hands: list[str], ranks: tuple[int, ...]
) -> None:
    """120,120,305: by good claims, then by the last hand's value, else the win is shared."""
    costs = [7 if "6s" in hand else 5 for hand in hands]
    state = claim_position(
        *hands,
        "8s",
        zero="7s",
        turn=9,
        totals=[120 - costs[0], 120 - costs[1], 255],
        good_claims=good,
    )
    state.apply(CLAIM)
    assert state.totals == (120, 120, 305)
    assert state.result().ranks == ranks


def test_example_8_the_hand_breaks_a_tie_and_not_the_points_added() -> None:
    """4,6,3 and a wrong claim: totals 120,120,300, claims equal, seat 0's hand is lower."""
    state = claim_position("4s", "6s", "3s", zero="7s", turn=7, totals=[70, 114, 297])
    state.apply(CLAIM)
    assert end(state).points == (50, 6, 3)
    assert state.totals == (120, 120, 300)
    assert state.result().ranks == (1, 2, 3)


def test_example_9_there_is_no_reset_and_a_target_of_50_may_be_met_at_once() -> None:
    """290,295 with 5 each: 340,300, seat 1 wins.  Target 50: totals 0,50 are over."""
    state = claim_position("5s", "5h", zero="7s", turn=5, totals=[290, 295])
    state.apply(CLAIM)
    assert state.totals == (340, 300)
    assert state.result().winners == (1,)
    state = claim_position("7h", "Ks Kh Kd 8s", zero="7s", turn=5, target=50)
    state.apply(CLAIM)
    assert state.totals == (0, 50)
    assert state.phase is Phase.OVER


def test_example_10_the_whole_discard_pile_becomes_the_new_draw_pile() -> None:
    """Pile 2,K,6,6; a 9 is thrown and the last card drawn: five cards, the pile is empty."""
    state = claim_position("2s 6s 6h", "Ks 9s", zero="7s", deck="As Ah Ad Ac", whole_deck=True)
    play(state, "2s", "Ks", "6s 6h", "9s")
    reshuffle = last(state)
    assert isinstance(reshuffle, Reshuffle)
    assert sorted(reshuffle.deck or ()) == sorted(cards("2s Ks 6s 6h 9s"))
    assert state.places()["pile"] == ()
    assert state.takeable is None
    assert all(act.draw is Draw.DECK for act in state.legal_actions() if isinstance(act, Burn))


def test_example_11_eight_players_have_19_cards_to_draw_from() -> None:
    """And the first player may use only those."""
    state = game("claim").new_match(seats=8, seed=SEED)
    assert len(state.places()["deck"]) == 19
    assert all(act.draw is Draw.DECK for act in state.legal_actions() if isinstance(act, Burn))
