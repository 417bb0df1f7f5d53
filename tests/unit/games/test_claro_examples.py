"""The worked examples of RULINGS, "Claro" 1 to 11: each line is a test."""

from __future__ import annotations

import pytest

from arena.games import IllegalAction, Phase
from arena.games.claro import ClaroState
from arenabot.claro import (
    ClaroReshuffle,
    ClaroRoundEnded,
    ClaroRoundReason,
    Discard,
    Passed,
    Play,
    Refilled,
    claro_cards,
)
from tests.unit.games.positions import claro_position, put


def fitting(state: ClaroState) -> set[str]:
    """What whoever is to act may play."""
    return {str(act.card) for act in state.legal_actions() if isinstance(act, Play)}


def ended(state: ClaroState) -> ClaroRoundEnded:
    """How the round ended; fails if it has not."""
    (end,) = (event for event in state.events if isinstance(event, ClaroRoundEnded))
    return end


def discard(state: ClaroState, seat: int, cards: str = "") -> None:
    """Let a seat choose what it discards."""
    state.apply(Discard(claro_cards(cards)), seat)


@pytest.mark.parametrize(
    ("top", "hand", "fits"),
    [
        ("28", "12 20 27 31 J1", "20 31 J1"),
        ("31", "20 30 32 J1 5", "32"),
        ("J2", "1 2 43 50 J1", "2 50 J1"),
        ("50", "49 8 3 J1 14", "49 8 J1 14"),
        ("24", "12 16 23 18 6", "12 18 6"),
    ],
    ids=["1, on 28", "1, on 31", "2, on a joker", "3, on 50", "3, on 24"],
)
def test_examples_1_to_3_what_fits(top: str, hand: str, fits: str) -> None:
    """Whoever holds it must play one of these and nothing else; there is no passing."""
    state = put(claro_position(top, hand, "1 3"[:0] or "47"), top)
    assert state.to_act == (1,)
    assert fitting(state) == set(fits.split())
    assert len(state.legal_actions()) == len(fits.split())
    with pytest.raises(IllegalAction, match="a card must be played now"):
        state.apply(Discard())


def test_example_2_cards_without_stars_do_not_fit_on_a_joker() -> None:
    """Top J, hand 1,3,41,43: it passes."""
    state = put(claro_position("J1", "1 3 41 43", "50"), "J1")
    assert state.events[-1] == Passed(2, 1)
    assert state.to_act == (2,)


def test_example_4_a_joker_forgets_the_number_below_it() -> None:
    """48, J, 2, 3 in this order is legal; 1 on 2 and 2 on 3 are not."""
    state = put(claro_position("48 3", "J1", "2"), "48", "J1", "2", "3")
    assert [str(card) for card in state.places()["discard pile"]] == ["48", "J1", "2", "3"]
    for top, below in (("2", "1"), ("3", "2")):
        state = put(claro_position(top, f"{below} 50", "49"), top)
        assert below not in fitting(state)
        with pytest.raises(IllegalAction, match=f"{below} does not fit on {top}"):
            put(state, below)


def test_example_5_a_round_card_by_card() -> None:
    """Three players: from the lead of 44 to the refilled hands."""
    state = claro_position("44 38 21 23 28", "1 3 5 7 2", "46 10 13 15 17")
    assert len(state.places()["draw pile"]) == 40
    put(state, "44")
    assert state.events[-1] == Passed(2, 1)
    assert fitting(state) == {"46"}
    put(state, "46")
    assert ended(state) == (1, ClaroRoundReason.PASSED, 2, (0, 0, 1))
    assert Passed(4, 0) in state.events
    discard(state, 0, "21 23")
    discard(state, 1, "1 3 5 7")
    refills = [(ev.seat, ev.drawn) for ev in state.events if isinstance(ev, Refilled)]
    assert refills == [(2, 1), (0, 3), (1, 4)]
    places = state.places()
    assert len(places["draw pile"]) == 32
    assert len(places["discard pile"]) == 8


def test_example_6_all_cards_are_played_out() -> None:
    """1,3,5,...,29 played in order by three players: star for seat 2, 15 new cards."""
    state = claro_position("1 7 13 19 25", "3 9 15 21 27", "5 11 17 23 29")
    put(state, *(str(number) for number in range(1, 30, 2)))
    assert ended(state) == (1, ClaroRoundReason.PLAYED_OUT, 2, (0, 0, 1))
    assert state.phase is Phase.ROUND_OVER
    places = state.places()
    assert len(places["draw pile"]) == 25
    assert len(places["discard pile"]) == 15
    assert [len(places[f"hand {seat}"]) for seat in range(3)] == [5, 5, 5]


@pytest.mark.parametrize(
    ("last", "winner", "reason"),
    [("29", 2, ClaroRoundReason.PLAYED_OUT), ("23", 0, ClaroRoundReason.PASSED)],
)
def test_example_7_a_player_without_cards_has_not_passed(
    last: str, winner: int, reason: ClaroRoundReason
) -> None:
    """P0 is out of cards with 25 on top and P1 passes: 29 wins for P2, 23 leaves it to P0."""
    state = put(claro_position("25", "1", last), "25")
    assert Passed(2, 1) in state.events
    if last == "29":
        put(state, last)
    assert (ended(state).winner, ended(state).reason) == (winner, reason)


def test_example_8_a_round_may_be_won_with_its_first_card() -> None:
    """Lead 43 against 1,3,5,7,J and 11,13,15,17,19: both pass."""
    state = put(claro_position("43 2", "1 3 5 7 J1", "11 13 15 17 19"), "43")
    assert {Passed(2, 1), Passed(3, 2)} <= set(state.events)
    assert ended(state).winner == 0
    assert ended(state).stars == (1, 0, 0)


def test_example_9_on_a_joker_only_stars_count() -> None:
    """Lead J against 35,37,39,41,43: it passes; 48 then 49 are legal."""
    state = put(claro_position("J1 49", "35 37 39 41 43", "48"), "J1")
    assert state.events[-1] == Passed(2, 1)
    put(state, "48")
    assert state.to_act == (0,)
    put(state, "49")
    assert ended(state).winner == 0


def test_example_10_a_reshuffle_in_the_middle_of_a_refill() -> None:
    """Six players, draw pile 2, discard pile 23: the others' 14 cards come from 39, 25 are left."""
    hands = ["1 2 3", "4 5 6", "7 8 9", "10 11 12", "13 14 15", "16 17 18"]
    lows = [f"{hand} {32 + seat} {38 + seat}" for seat, hand in enumerate(hands)]
    gone = [*range(19, 32), *range(44, 50)]
    thrown = " ".join([*map(str, gone), "J1", "J2", "J3", "J4"])
    state = claro_position(*lows, draw="50 J5", whole_pile=True, discard=thrown)
    assert len(state.places()["discard pile"]) == 23
    put(state, *(str(number) for number in range(32, 44)))
    assert ended(state).winner == 5
    places = state.places()
    assert len(places["discard pile"]) == 35
    assert places["draw pile"] == ()
    assert [len(places[f"hand {seat}"]) for seat in range(6)] == [3, 3, 3, 3, 3, 5]
    for seat, cards in enumerate(["1 2", "", "7", "", "13"]):
        discard(state, seat, cards)
    (reshuffle,) = (event for event in state.events if isinstance(event, ClaroReshuffle))
    assert reshuffle.draw_size == 39
    places = state.places()
    assert len(places["draw pile"]) == 25
    assert places["discard pile"] == ()
    assert [len(places[f"hand {seat}"]) for seat in range(6)] == [5] * 6


def test_example_11_the_thirteenth_star_of_six_players_ends_the_match() -> None:
    """With two stars each the next one is the third of whoever wins it, before any refill."""
    hands = ["43 2", "1 3", "5 7", "11 13", "15 17", "19 21"]
    state = put(claro_position(*hands, stars=[2] * 6), "43")
    assert sum(state.totals) == 13
    assert state.phase is Phase.OVER
    assert not any(isinstance(event, Refilled) for event in state.events)
    assert state.result().ranks == (1, 2, 2, 2, 2, 2)
