"""Claim! 1 to 6 of RULINGS, and X8, X10, X11 where Claim! has its own, beyond the examples."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games import IllegalAction, Phase, game
from arenabot.actions import CLAIM, Burn, Draw
from arenabot.cards import DECK, cards
from arenabot.events import Reshuffle, RoundReason, RoundStarted
from arenabot.options import OptionError
from tests.unit.games.playing import from_deck, never_claim, play_out
from tests.unit.games.positions import SEED, claim_position, end, play

GAME = game("claim")


# --- 1: the deal


@pytest.mark.parametrize(
    ("seats", "deck"), [(2, 43), (3, 39), (4, 35), (5, 31), (6, 27), (7, 23), (8, 19)]
)
def test_claim_1_deals_four_cards_a_seat_and_turns_the_trump_up(seats: int, deck: int) -> None:
    """Four cards each, the trump, the rest is the draw pile; the discard pile starts empty."""
    places = GAME.new_match(seats=seats, seed=SEED).places()
    assert [len(places[f"hand {seat}"]) for seat in range(seats)] == [4] * seats
    assert len(places["deck"]) == deck
    assert places["pile"] == ()
    assert sorted(card for place in places.values() for card in place) == list(DECK)


@pytest.mark.parametrize("seats", [1, 9])
def test_claim_1_refuses_other_numbers_of_players(seats: int) -> None:
    """Claim! is for 2 to 8 players, and the error says so."""
    with pytest.raises(ValueError, match=f"2 to 8 players, not {seats}"):
        GAME.new_match(seats=seats, seed=SEED)


def test_claim_1_the_trump_is_out_of_play_for_the_round() -> None:
    """No new draw pile of a round holds its trump card."""
    match = play_out(GAME.new_match(seats=8, seed=SEED), never_claim, rounds=3)
    zero, reshuffles = None, 0
    for event in match.events:
        if isinstance(event, RoundStarted):
            zero = event.zero
        elif isinstance(event, Reshuffle):
            reshuffles += 1
            assert zero not in (event.deck or ())
    assert reshuffles > 3


# --- 2: discarding and drawing; what cards cost is as in Claims, and tested with it


def test_claim_2_only_what_the_previous_player_has_just_thrown_may_be_taken() -> None:
    """Its top card; not what lies below, nor one's own."""
    state = claim_position("8s 3s 4s", "Ks Kh 6s", "2d", zero="7s", deck="Ah Ad Ac")
    assert all(act.draw is Draw.DECK for act in state.legal_actions() if isinstance(act, Burn))
    play(state, "8s", "Ks Kh")
    assert state.takeable == cards("Kh")[0]
    play(state, "2d<")
    assert state.hand(2) == cards("Kh")
    assert state.takeable == cards("2d")[0]
    assert state.places()["pile"] == cards("8s Ks 2d")


@pytest.mark.parametrize("move", ["8s 3s", "7h 3s"])
def test_claim_2_cards_of_different_ranks_never_go_together(move: str) -> None:
    """The trump rank neither."""
    state = claim_position("8s 3s 7h", "Ks", zero="7s")
    with pytest.raises(IllegalAction, match="different ranks"):
        play(state, move)


# --- 3: the draw pile runs out


def test_claim_3_the_pile_is_shuffled_as_often_as_needed() -> None:
    """A round of eight that nobody ends runs out more often than the four times of Claims."""
    match = play_out(GAME.new_match(seats=8, seed=SEED), from_deck, rounds=1)
    numbers = [event.number for event in match.events if isinstance(event, Reshuffle)]
    assert len(numbers) > 4
    assert numbers == list(range(1, len(numbers) + 1))
    assert match.round_ends[0].reason is RoundReason.MAX_LAPS


def test_claim_3_after_it_the_next_player_must_use_the_draw_pile() -> None:
    """What was just thrown went back as well."""
    state = claim_position("2s 6s", "Ks 9s", zero="7s", deck="As", whole_deck=True)
    play(state, "2s")
    assert state.places()["pile"] == ()
    with pytest.raises(IllegalAction, match="no pile card"):
        play(state, "Ks<")
    play(state, "Ks")
    assert state.hand(1) == cards("2s 9s")


# --- 4: when a claim is open


@pytest.mark.parametrize("seats", range(2, 9))
def test_claim_4_a_claim_is_open_after_two_turns_of_ones_own(seats: int) -> None:
    """By default, whatever the hand; default moves count as turns."""
    state = GAME.new_match(seats=seats, seed=SEED)
    for _ in range(2 * seats):
        assert CLAIM not in state.legal_actions()
        with pytest.raises(IllegalAction, match="after claim_laps turns of one's own"):
            state.apply(CLAIM)
        state.apply(state.default_action(), default=True)
    for _ in range(seats):
        assert CLAIM in state.legal_actions()
        assert len(state.legal_actions()) > 1
        state.apply(state.default_action(), default=True)


def test_claim_4_the_turns_are_counted_in_each_round() -> None:
    """The next round begins without claims again."""
    state = claim_position("2s 3s", "Ks Qs", zero="7s", turn=5)
    state.apply(CLAIM)
    state.next_round()
    assert CLAIM not in state.legal_actions()


# --- 5: scoring a claim


@pytest.mark.parametrize("claimer", [0, 1, 2])
def test_claim_5_whoever_claims_is_scored_so(claimer: int) -> None:
    """Strictly lowest adds 0, anyone else 50, and the others always add their hand."""
    hands = ["2s", "4s", "6s"]
    state = claim_position(*hands, zero="7s", turn=7 + claimer)
    state.apply(CLAIM)
    points = [2, 4, 6]
    points[claimer] = 0 if claimer == 0 else 50
    assert end(state).points == tuple(points)
    assert end(state).success is (claimer == 0)


# --- 6: the end of the match


def test_claim_6_the_last_rounds_claim_counts_for_the_tie() -> None:
    """Equal totals and equal claims before; the claim that ends the match decides."""
    state = claim_position(
        "2s", "4s", "Ks", zero="7s", turn=7, totals=[120, 116, 290], good_claims=[1, 1, 0]
    )
    state.apply(CLAIM)
    assert state.totals == (120, 120, 304)
    assert state.result().ranks == (1, 2, 3)


def test_x11_the_ties_below_the_first_place_are_broken_alike() -> None:
    """Seats 1 and 2 have equal totals, and seat 2 the more good claims."""
    state = claim_position(
        "2s",
        "4s",
        "4h",
        "Ks",
        zero="7s",
        turn=9,
        totals=[0, 200, 200, 290],
        good_claims=[0, 1, 2, 0],
    )
    state.apply(CLAIM)
    assert state.result().ranks == (1, 3, 2, 4)


@pytest.mark.parametrize(
    "given",
    [
        {"target": 49},
        {"target": 1001},
        {"target": 300.0},
        {"target": True},
        {"claim_laps": -1},
        {"claim_laps": 11},
        {"claim_laps": "2"},
        {"max_laps": 2},
        {"max_laps": 10, "claim_laps": 10},
        {"stall_laps": 0},
        {"max_rounds": 0},
        {"colour": 1},
    ],
)
def test_options_out_of_bounds_are_refused_by_name(given: dict[str, Any]) -> None:
    """In one line that says what is allowed."""
    with pytest.raises(OptionError, match=next(iter(given))) as caught:
        GAME.options(given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "given",
    [
        {"target": 50},
        {"target": 1000},
        {"claim_laps": 0},
        {"claim_laps": 10},
        {"max_laps": 3},
        {"max_laps": 11, "claim_laps": 10},
    ],
)
def test_options_at_their_bounds_are_taken(given: dict[str, Any]) -> None:
    """And nothing else changes."""
    options = GAME.options(given).as_dict()
    assert {name: options[name] for name in given} == given


def test_the_usual_options() -> None:
    """As RULINGS gives them for Claim!."""
    assert GAME.options().as_dict() == {
        "target": 300,
        "stall_laps": 20,
        "max_laps": 100,
        "max_rounds": 500,
        "claim_laps": 2,
    }


# --- X8: the caps


def test_x8_a_round_ended_by_a_cap_adds_everyones_hand_and_counts_no_claim() -> None:
    """Also the lowest hand; nobody claimed."""
    state = claim_position("2s", "Ks", zero="7s", max_laps=3, deck="As Ah Ad Ac 2h 2d")
    play(state, "2s", "Ks", "As", "Ah", "Ad", "Ac")
    assert end(state).reason is RoundReason.MAX_LAPS
    assert (end(state).claimer, end(state).success) == (None, False)
    assert end(state).points == (2, 2)
    assert [state.hand_points(seat) for seat in (0, 1)] == [2, 2]


def test_x8_its_hands_still_feed_the_tie_break() -> None:
    """Equal totals and claims: the lower hand of the capped round goes first."""
    state = claim_position(
        "2s", "Ks", zero="7s", max_laps=3, totals=[301, 300], deck="As Ah Ad Ac 3h 4d"
    )
    play(state, "2s", "Ks", "As", "Ah", "Ad", "Ac")
    assert state.totals == (304, 304)
    assert state.phase is Phase.OVER
    assert state.result().ranks == (1, 2)


def test_x8_stall_laps_end_a_round() -> None:
    """Both always take from the pile."""
    state = claim_position("9s", "Js", zero="7d", deck="Kh Qh", stall_laps=2)
    play(state, "9s", "Js")
    for _ in range(4):
        assert state.phase is Phase.PLAYING
        play(state, f"{state.hand(state.seat)[0]}<")
    assert end(state).reason is RoundReason.STALL_LAPS


def test_x10_a_claim_is_looked_at_before_any_cap() -> None:
    """A seat may claim where one discard more would have ended the round by a cap."""
    state = claim_position("2s", "Ks", zero="7s", turn=6, max_laps=3)
    state.apply(CLAIM)
    assert end(state).reason is RoundReason.CLAIM
    assert end(state).points == (2, 50)
