"""Claro 1 to 7 of RULINGS, and X5 and X7 where Claro has its own, beyond the worked examples."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from arena.games import IllegalAction, Phase, game
from arena.games.chance import SEED_BYTES
from arena.games.claro import ClaroState
from arenabot.claro import (
    CLARO_CARDS,
    ClaroRoundEnded,
    Discard,
    Discarded,
    Passed,
    Play,
    Played,
    Refilled,
    claro_cards,
)
from arenabot.claro.cards import deck_contents
from arenabot.events import MatchReason
from arenabot.options import OptionError
from tests.unit.games.playing import at_random, play_out
from tests.unit.games.positions import SEED, claro_position, put

CLARO = game("claro")


# --- 1: the deck


def test_claro_1_the_deck_that_comes_with_the_game() -> None:
    """55 cards, 1 to 50 once each, five jokers of every colour, three colours, some starless."""
    deck = deck_contents()
    numbers = [card["number"] for card in deck["cards"]]
    assert sorted(number for number in numbers if number is not None) == list(range(1, 51))
    assert numbers.count(None) == 5
    assert set(deck["star_colours"]) == {"yellow", "blue", "pink"}
    assert any(not card["stars"] for card in deck["cards"])
    assert CLARO.options({"deck": deck}).as_dict() == {"deck": None}


def _card(deck: dict[str, Any], number: int | None) -> dict[str, Any]:
    return next(card for card in deck["cards"] if card["number"] == number)


def _without(deck: dict[str, Any]) -> None:
    deck["cards"].pop()


def _twice(deck: dict[str, Any]) -> None:
    _card(deck, 2)["id"] = _card(deck, 1)["id"]


def _number_twice(deck: dict[str, Any]) -> None:
    _card(deck, 2)["number"] = 1


def _number_51(deck: dict[str, Any]) -> None:
    _card(deck, 2)["number"] = 51


def _number_text(deck: dict[str, Any]) -> None:
    _card(deck, 2)["number"] = "2"


def _sixth_joker(deck: dict[str, Any]) -> None:
    _card(deck, 2).update(number=None, stars=list(deck["star_colours"]))


def _poor_joker(deck: dict[str, Any]) -> None:
    _card(deck, None)["stars"].pop()


def _fourth_colour(deck: dict[str, Any]) -> None:
    deck["star_colours"].append("green")


def _unknown_star(deck: dict[str, Any]) -> None:
    _card(deck, 2)["stars"] = ["green"]


def _star_twice(deck: dict[str, Any]) -> None:
    _card(deck, 2)["stars"] = ["blue", "blue"]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (_without, "55 cards"),
        (_twice, "two cards with the id"),
        (_number_twice, "the number 1 twice"),
        (_number_51, "from 1 to 50"),
        (_number_text, "from 1 to 50"),
        (_sixth_joker, "5 jokers"),
        (_poor_joker, "every colour"),
        (_fourth_colour, "3 different star_colours"),
        (_unknown_star, "known colours, each once"),
        (_star_twice, "known colours, each once"),
    ],
)
def test_claro_1_another_deck_is_checked_on_load(
    spoil: Callable[[dict[str, Any]], None], why: str
) -> None:
    """One line says what is wrong with it."""
    deck = json.loads(json.dumps(deck_contents()))
    spoil(deck)
    with pytest.raises(OptionError, match=why) as caught:
        CLARO.options({"deck": deck})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("deck", [[], "deck", 7, {}, {"star_colours": 3, "cards": None}])
def test_claro_1_what_is_no_deck_at_all_is_refused(deck: object) -> None:
    """As is an option that there is not."""
    with pytest.raises(OptionError, match="Claro deck must"):
        CLARO.options({"deck": deck})
    with pytest.raises(OptionError, match="unknown option 'target'"):
        CLARO.options({"target": 3})


# --- 2: the deal and the lead


@pytest.mark.parametrize(("seats", "pile"), [(3, 40), (4, 35), (5, 30), (6, 25)])
def test_claro_2_deals_five_cards_a_seat_and_seat_0_leads(seats: int, pile: int) -> None:
    """The other cards are the draw pile, 55 in all."""
    state = CLARO.new_match(seats=seats, seed=SEED)
    places = state.places()
    assert [len(places[f"hand {seat}"]) for seat in range(seats)] == [5] * seats
    assert len(places["draw pile"]) == pile
    assert sorted(card for place in places.values() for card in place) == list(CLARO_CARDS)
    assert state.to_act == (0,)


@pytest.mark.parametrize("seats", [2, 7])
def test_claro_2_refuses_other_numbers_of_players(seats: int) -> None:
    """Claro is for 3 to 6 players, and the error says so."""
    with pytest.raises(ValueError, match=f"3 to 6 players, not {seats}"):
        CLARO.new_match(seats=seats, seed=SEED)


def test_claro_2_the_leader_may_lead_any_card_a_joker_too_and_may_not_pass() -> None:
    """Each of five, and nothing else."""
    state = claro_position("1 28 43 50 J3", "2", "3")
    assert state.legal_actions() == [Play(card) for card in claro_cards("1 28 43 50 J3")]
    with pytest.raises(IllegalAction):
        state.apply(Discard())


# --- 3: what fits


def test_claro_3_every_card_on_every_other() -> None:
    """All 2,970 pairs against the ruling's own words, read off the deck's file."""
    shown = deck_contents()["cards"]
    told = {
        "J" + entry["id"][1:] if entry["number"] is None else str(entry["number"]): entry
        for entry in shown
    }
    assert set(told) == set(map(str, CLARO_CARDS))
    found: Counter[bool] = Counter()
    for top, card in permutations(told, 2):
        number, below = told[card]["number"], told[top]["number"]
        fits = bool(set(told[card]["stars"]) & set(told[top]["stars"]))
        if number is not None and below is not None:
            fits = fits or number > below
        third = next(other for other in told if other not in (top, card))
        state = put(claro_position(top, card, third), top)
        assert (Passed(2, 1) not in state.events) is fits, f"{card} on {top}"
        found[fits] += 1
    assert sum(found.values()) == 55 * 54
    assert min(found.values()) > 400


# --- 4: playing and passing


def test_claro_4_whoever_has_one_fitting_card_is_asked_and_must_play_it() -> None:
    """Nobody plays for it, and it may not keep it."""
    state = put(claro_position("43 1", "44 3", "45 5"), "43")
    assert state.to_act == (1,)
    assert state.legal_actions() == [Play(claro_cards("44")[0])]
    with pytest.raises(IllegalAction, match="3 does not fit on 43"):
        put(state, "3")
    with pytest.raises(IllegalAction, match="50 is not in this hand"):
        put(state, "50")


def test_claro_4_who_has_passed_plays_no_more_in_this_round_and_keeps_the_cards() -> None:
    """Seat 1 could play on the joker later, but has passed on 43; in the next round it plays."""
    state = put(claro_position("43 J1 1", "2 5", "44 49 3"), "43")
    assert Passed(2, 1) in state.events
    put(state, "44")
    assert state.to_act == (0,)
    put(state, "J1")
    assert state.to_act == (2,)
    assert state.hand(1) == claro_cards("2 5")
    put(state, "49")
    while state.to_act and state.phase is Phase.PLAYING and state.discarding:
        state.apply(Discard())
    state.next_round()
    assert set(claro_cards("2 5")) <= set(state.hand(1))


def test_claro_4_a_player_without_cards_is_not_asked_and_has_not_passed() -> None:
    """The round goes on until the other two have passed."""
    state = put(claro_position("43", "44 1", "45 3"), "43", "44", "45")
    passed = [event.seat for event in state.events if isinstance(event, Passed)]
    assert passed == [1, 2]
    assert state.totals == (0, 0, 1)


def test_claro_4_a_pass_is_a_turn_that_the_engine_makes() -> None:
    """Passes are numbered like plays."""
    state = put(claro_position("43", "1 3", "44 5"), "43", "44")
    numbered = [ev.turn for ev in state.events if isinstance(ev, Played | Passed)]
    assert numbered == [1, 2, 3, 4]


# --- 5: the end of a round


@pytest.mark.parametrize("seats", range(3, 7))
def test_claro_5_the_last_who_played_a_card_wins_and_nobody_else_gets_a_star(seats: int) -> None:
    """In every round of a hundred matches, whichever way it ended."""
    for number in range(100):
        played = play_out(
            CLARO.new_match(seats=seats, seed=number.to_bytes(SEED_BYTES)),
            at_random,
            rng=random.Random(number),
        )
        stars = (0,) * seats
        latest = -1
        for event in played.events:
            if isinstance(event, Played):
                latest = event.seat
            elif isinstance(event, ClaroRoundEnded):
                assert event.winner == latest
                stars = tuple(had + (seat == latest) for seat, had in enumerate(stars))
                assert event.stars == stars
        assert max(stars) == 3
        assert len(played.round_ends) <= 2 * seats + 1


# --- 6: discards and refills


def _choosing() -> ClaroState:
    """Seat 0 has won with 43 and refilled; seats 1 and 2 choose."""
    return put(claro_position("43 2", "1 3 5", "11 13 15"), "43")


def test_claro_6_all_but_the_winner_are_asked_at_the_same_time() -> None:
    """Any number of cards, none included; the winner discards nothing and has refilled."""
    state = _choosing()
    assert state.to_act == (1, 2)
    assert state.discarding
    assert len(state.hand(0)) == 5
    assert len(state.legal_actions(1)) == 2**3
    assert state.legal_actions(1)[0] == Discard()
    with pytest.raises(IllegalAction, match="seat 0 is not to act"):
        state.apply(Discard(), 0)


def test_claro_6_nobody_sees_a_discard_before_all_have_chosen() -> None:
    """Nothing is told, the hands are as they were, and the discard pile too."""
    state = _choosing()
    before = state.observation(2)
    state.apply(Discard(claro_cards("1 3")), 1)
    assert state.observation(2) == before
    assert not any(isinstance(event, Discarded) for event in state.events)
    state.apply(Discard(claro_cards("11")), 2)
    shown = [event for event in state.events if isinstance(event, Discarded)]
    assert shown == [
        Discarded(1, claro_cards("1 3"), default=False),
        Discarded(2, claro_cards("11"), default=False),
    ]


def test_claro_6_the_order_of_choosing_changes_nothing() -> None:
    """Whoever answers first."""
    first, second = _choosing(), _choosing()
    chosen = {1: Discard(claro_cards("1")), 2: Discard(claro_cards("13 15"))}
    for seat in (1, 2):
        first.apply(chosen[seat], seat)
    for seat in (2, 1):
        second.apply(chosen[seat], seat)
    assert first.events == second.events
    assert first.places() == second.places()


@pytest.mark.parametrize("cards", ["50", "1 50", "1 1"])
def test_claro_6_only_ones_own_cards_each_once_may_be_discarded(cards: str) -> None:
    """The turn stays open."""
    state = _choosing()
    with pytest.raises(IllegalAction, match="not a set of cards of this hand"):
        state.apply(Discard(claro_cards(cards)), 1)
    with pytest.raises(IllegalAction, match="discards must be chosen now"):
        state.apply(Play(claro_cards("1")[0]), 1)
    assert state.to_act == (1, 2)


def test_claro_6_a_seat_without_cards_is_not_asked_but_refilled() -> None:
    """It has nothing to discard."""
    state = put(claro_position("43 1", "44", "45 3"), "43", "44", "45")
    assert state.discarding
    assert state.to_act == (0,)
    state.apply(Discard(), 0)
    assert [len(state.hand(seat)) for seat in range(3)] == [5, 5, 5]


def test_claro_6_the_refill_goes_clockwise_from_the_winners_left() -> None:
    """From the draw pile's top; the winner, seat 1, has drawn before them, when it won."""
    hands = ("1 2 3 4", "43 5 6 7", "8 9 11 12")
    state = claro_position(*hands, draw="20 21 22 23", leader=1)
    put(state, "43")
    for seat in (0, 2):
        state.apply(Discard(), seat)
    drawn = [(ev.seat, ev.cards) for ev in state.events if isinstance(ev, Refilled)]
    assert drawn == [(1, claro_cards("20 21")), (2, claro_cards("22")), (0, claro_cards("23"))]


def test_claro_6_the_winner_leads_the_next_round_and_hands_go_on() -> None:
    """Nothing is dealt anew."""
    state = _choosing()
    for seat in (1, 2):
        state.apply(Discard(), seat)
    held = [state.hand(seat) for seat in range(3)]
    state.next_round()
    assert (state.round, state.starter, state.to_act) == (2, 0, (0,))
    assert [state.hand(seat) for seat in range(3)] == held
    assert state.places()["played"] == ()


# --- 7: the end of the match


def test_claro_7_the_third_star_ends_the_match_before_any_refill() -> None:
    """The winner is first; the others by stars, equal ones sharing the rank."""
    state = put(claro_position("43 2", "1 3", "5 7", "9 11", stars=[2, 1, 0, 1]), "43")
    assert state.phase is Phase.OVER
    assert len(state.hand(0)) == 1
    result = state.result()
    assert result.reason is MatchReason.STARS
    assert result.totals == (3, 1, 0, 1)
    assert result.ranks == (1, 2, 4, 2)


# --- X5, X7


def test_x5_a_default_move_is_any_fitting_card_each_as_likely() -> None:
    """Two fit of four; over many seeds both come equally often."""
    picked: Counter[str] = Counter()
    state = put(claro_position("43 1", "44 46 3 5", "2"), "43")
    for number in range(2000):
        state.seed = number.to_bytes(SEED_BYTES)
        default = state.default_action()
        assert isinstance(default, Play)
        picked[str(default.card)] += 1
    assert set(picked) == {"44", "46"}
    assert abs(picked["44"] - 1000) < 3.3 * 22.4, "three and a third standard deviations"


def test_x5_a_default_lead_may_be_any_card_and_a_default_discard_is_none() -> None:
    """Five cards lead; nothing is thrown away for who does not answer."""
    state = claro_position("1 28 43 50 J3", "2", "3")
    leads = set()
    for number in range(200):
        state.seed = number.to_bytes(SEED_BYTES)
        leads.add(str(state.default_action()))
    assert len(leads) == 5
    assert _choosing().default_action(1) == Discard()


def test_x7_what_others_draw_and_hold_stays_hidden() -> None:
    """Each sees its own; sizes are public."""
    state = _choosing()
    for seat in (1, 2):
        state.apply(Discard(), seat)
    refilled = [event for event in state.events if isinstance(event, Refilled)]
    assert {event.seat for event in refilled} == {0, 1, 2}
    for event in refilled:
        for seat in range(3):
            seen = event.seen_by(seat)
            assert (seen.cards is None) is (seat != event.seat)
            assert seen.drawn == event.drawn
