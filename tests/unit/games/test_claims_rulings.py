"""Claims 1 to 10 of RULINGS, beyond their worked examples."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.games import IllegalAction, Phase, game
from arenabot.actions import CLAIM, Burn, Draw, burn
from arenabot.cards import DECK, cards
from arenabot.events import Reshuffle, RoundReason, RoundStarted, Turn
from arenabot.options import OptionError
from tests.unit.games.playing import from_deck, never_claim, play_out
from tests.unit.games.positions import (
    SEED,
    BurnTable,
    action,
    claim_position,
    end,
    last,
    play,
    position,
)

CLAIMS = game("claims")


# --- 1: the deal


@pytest.mark.parametrize(("seats", "deck"), [(2, 41), (3, 36), (4, 31), (5, 26), (6, 21), (7, 16)])
def test_claims_1_deals_five_cards_a_seat_and_turns_one_up(seats: int, deck: int) -> None:
    """Five cards each, one joker card, the rest is the deck, 52 in all."""
    places = CLAIMS.new_match(seats=seats, seed=SEED).places()
    assert [len(places[f"hand {seat}"]) for seat in range(seats)] == [5] * seats
    assert len(places["deck"]) == deck
    assert places["pile"] == ()
    assert sorted(card for place in places.values() for card in place) == list(DECK)


@pytest.mark.parametrize("seats", [1, 8])
def test_claims_1_refuses_other_numbers_of_players(seats: int) -> None:
    """Claims is for 2 to 7 players, and the error says so."""
    with pytest.raises(ValueError, match=f"2 to 7 players, not {seats}"):
        CLAIMS.new_match(seats=seats, seed=SEED)


def test_claims_1_every_round_is_dealt_from_all_52_cards_with_a_joker_card_of_its_own() -> None:
    """Whatever was burned, the next round's deal holds each card once."""
    deals = [
        event
        for event in play_out(CLAIMS.new_match(seats=3, seed=SEED), never_claim).events
        if isinstance(event, RoundStarted)
    ]
    for deal in deals:
        dealt = [card for hand in deal.hands for card in hand or ()]
        assert sorted([*dealt, deal.zero, *(deal.deck or ())]) == list(DECK)
    assert len({deal.zero for deal in deals}) > 1


def test_claims_1_the_joker_card_never_enters_a_reshuffle() -> None:
    """No new deck of a round holds its joker card."""
    match = play_out(CLAIMS.new_match(seats=7, seed=SEED), never_claim)
    zero = None
    reshuffles = 0
    for event in match.events:
        if isinstance(event, RoundStarted):
            zero = event.zero
        elif isinstance(event, Reshuffle):
            reshuffles += 1
            assert zero not in (event.deck or ())
    assert reshuffles > 3


# --- 2: points


@pytest.mark.parametrize(
    ("rank", "cost"),
    [("A", 1), *((str(n), n) for n in range(2, 10)), ("T", 10), ("J", 12), ("Q", 13), ("K", 14)],
)
@pytest.mark.parametrize("stand", [position, claim_position], ids=["claims", "claim"])
def test_claims_2_and_claim_2_what_each_rank_costs(
    stand: Callable[..., BurnTable], rank: str, cost: int
) -> None:
    """A 1, face values, J 12, Q 13, K 14; a card of the joker (or trump) rank nothing."""
    other = "2c" if rank != "2" else "3c"
    assert stand(f"{rank}s", "Th Td", zero=other).hand_points(0) == cost
    assert stand(f"{rank}s", "Th Td", zero=f"{rank}c").hand_points(0) == 0


# --- 3: burning


def test_claims_3_the_joker_rank_may_be_burned_and_not_all_of_a_rank_need_go() -> None:
    """Of three free sevens one or two or three may go."""
    state = position("7s 7h 7d Ks", "2s", zero="7c")
    for move in ("7h", "7s 7d", "7s 7h 7d"):
        twin = state.copy()
        play(twin, move)
        assert twin.places()["pile"] == action(move).cards


def test_claims_3_the_order_given_is_the_order_on_the_pile() -> None:
    """The last card named lies on top and is the one to take."""
    state = play(position("Ks Kh Kd", "2s", zero="7c", deck="3c"), "Kd Ks Kh")
    assert state.places()["pile"] == cards("Kd Ks Kh")
    assert state.takeable == cards("Kh")[0]


def test_claims_3_cards_of_different_ranks_never_go_together() -> None:
    """Neither mixed ranks nor a run can be burned, jokers included."""
    state = position("5s 6s 7s 7h", "2s", zero="7c")
    for move in ("5s 6s", "5s 6s 7s", "6s 7h"):
        with pytest.raises(IllegalAction, match="different ranks"):
            play(state, move)


# --- 4: drawing


@pytest.mark.parametrize("rounds", [0, 1])
def test_claims_4_the_first_player_of_a_round_draws_from_the_deck(rounds: int) -> None:
    """Nothing is on the pile yet, in a later round too."""
    state = position("2s 3s", "Ks Qs", zero="7s", turn=3)
    if rounds:
        play(state, "2s", "Ks")
        state.apply(CLAIM)
        state.next_round()
    assert all(act.draw is Draw.DECK for act in state.legal_actions() if isinstance(act, Burn))
    with pytest.raises(IllegalAction, match="no pile card"):
        state.apply(burn(state.hand(state.seat)[0], Draw.PILE))


def test_claims_4_the_deck_is_drawn_from_its_top() -> None:
    """Each blind draw takes the next card of the deck as it was dealt."""
    state = play(position("Ks 2s", "Qs 3s", zero="7s", deck="3c 4c 5c"), "Ks", "Qs", "2s")
    drawn = [event.drawn for event in state.events if isinstance(event, Turn)]
    assert drawn == list(cards("3c 4c 5c"))


def test_claims_4_a_card_taken_and_burned_again_may_be_taken_by_who_burned_it_first() -> None:
    """Seat 0 burns K, seat 1 takes it and burns it a turn later: seat 0 may have it back."""
    state = position("Ks 2s 3s", "Qs", zero="7s", deck="4c 5c")
    play(state, "Ks", "Qs<", "2s", "Ks")
    assert state.takeable == cards("Ks")[0]
    play(state, "3s<")
    assert cards("Ks")[0] in state.hand(0)


def test_claims_4_the_pile_card_is_drawn_after_the_burn() -> None:
    """A burn that empties the hand still ends with the pile card in it, below it the burn."""
    state = play(position("Ks 2s", "Qs Qh", zero="7s", deck="3c"), "Ks", "Qs Qh<")
    assert state.hand(1) == cards("Ks")
    assert state.places()["pile"] == cards("Qs Qh")


# --- 5: a hand never has fewer than one card


@pytest.mark.parametrize("source", ["", "<"], ids=["deck", "pile"])
def test_claims_5_a_whole_hand_may_go_and_leaves_the_card_drawn(source: str) -> None:
    """Four of a kind as the whole hand: one card is left."""
    state = play(position("Ks 2s", "9s 9h 9d 9c", zero="7s"), "Ks", f"9s 9h 9d 9c{source}")
    assert len(state.hand(1)) == 1


# --- 6: when a claim is open


@pytest.mark.parametrize("seats", range(2, 8))
def test_claims_6_a_claim_is_open_from_ones_second_turn_of_the_round(seats: int) -> None:
    """In the first lap no hand is low enough, in the second every low hand is; defaults count."""
    low = ["As", "2s", "3s", "4s", "5s", "6s", "8s"]
    state = position(*low[:seats], zero="Kd", deck="Ah 2h 3h 4h 5h 6h 8h")
    for _ in range(seats):
        assert CLAIM not in state.legal_actions()
        with pytest.raises(IllegalAction, match="second turn of a round, with 10 points or less"):
            state.apply(CLAIM)
        state.apply(state.default_action(), default=True)
    for _ in range(seats):
        assert CLAIM in state.legal_actions()
        play(state, str(state.hand(state.seat)[0]))


def test_claims_6_the_first_lap_of_a_later_round_has_no_claims_again() -> None:
    """Turns are counted in the round, not in the match."""
    state = position("2s 3s", "Ks Qs", zero="7s", turn=3)
    state.apply(CLAIM)
    state.next_round()
    assert state.turn == 1
    for _ in range(2):
        assert CLAIM not in state.legal_actions()
        state.apply(state.default_action(), default=True)


def test_claims_6_a_claim_is_never_forced() -> None:
    """Every burn stays open beside a claim."""
    state = position("2s 3s", "Ks Qs", zero="7s", turn=3)
    assert state.legal_actions() == [burn("2s"), burn("3s"), CLAIM]


def test_claims_6_a_claim_ends_the_round_at_once() -> None:
    """Nobody is to act after it, and its turn burns and draws nothing."""
    state = position("2s 3s", "Ks Qs", zero="7s", turn=3)
    before = state.places()
    state.apply(CLAIM)
    assert state.to_act == ()
    assert state.places() == before
    assert state.events[-2] == Turn(0, CLAIM, None, default=False)


# --- 7: scoring a claim


def test_claims_7_the_others_add_their_hands_whether_the_claim_holds_or_not() -> None:
    """With seat 1 claiming 9 against 8, 9 and 30 it adds twice 50 and they 8, 9 and 30."""
    state = position("8s", "9s", "9h", "Ks Kh 2s", zero="7s", turn=6)
    state.apply(CLAIM)
    assert end(state).points == (8, 100, 9, 30)
    assert (end(state).claimer, end(state).success) == (1, False)


# --- 8: the deck runs out


@pytest.mark.parametrize("seats", CLAIMS.seats)
def test_claims_8_the_deck_is_shuffled_three_times_and_the_fourth_run_out_ends_the_round(
    seats: int,
) -> None:
    """A round in which all draw from the deck has reshuffles 1, 2, 3, and then its end."""
    match = play_out(CLAIMS.new_match(seats=seats, seed=SEED), from_deck, rounds=1)
    assert [event.number for event in match.events if isinstance(event, Reshuffle)] == [1, 2, 3]
    assert match.round_ends[0].reason is RoundReason.DECK
    assert match.state.places()["deck"] == ()


def test_claims_8_the_run_out_counts_when_the_last_card_is_drawn() -> None:
    """The turn that draws the last card reshuffles at its end; the next turn has a deck."""
    state = position("Ks 2s", "Qs 3s", zero="7s", deck="4c 5c", whole_deck=True)
    play(state, "Ks")
    assert len(state.places()["deck"]) == 1
    play(state, "Qs")
    assert last(state) == Reshuffle(1, cards("Ks"), 1)
    assert state.takeable == cards("Qs")[0]
    play(state, "2s<")
    assert cards("Qs")[0] in state.hand(0)


def test_claims_8_every_hand_equal_to_the_lowest_adds_nothing() -> None:
    """Without a claim the lowest hands add nothing, however low, and the others theirs."""
    state = position("As 3s", "2h 2d", "4h", zero="7s", deck="3d", whole_deck=True, reshuffles=3)
    play(state, "As")
    assert end(state).points == (6, 0, 0)


# --- 9: the match


@pytest.mark.parametrize("target", [100, 151, 301, True, 300.0, "300", None])
def test_claims_9_the_target_is_300_or_150_and_nothing_else(target: object) -> None:
    """Any other target is refused with what is allowed."""
    with pytest.raises(OptionError, match=r"must be 300 \(Classic\) or 150 \(Short\)"):
        CLAIMS.options({"target": target})


@pytest.mark.parametrize("total", [287, 288])
def test_claims_9_a_total_over_the_target_ends_the_match_and_one_equal_to_it_does_not(
    total: int,
) -> None:
    """A queen on 287 makes 300, which becomes 0; on 288 it makes 301, which is over."""
    state = position(
        "Ts", "Qh", zero="7s", deck="8d", whole_deck=True, reshuffles=3, totals=[40, total]
    )
    play(state, "Ts")
    assert end(state).reason is RoundReason.DECK
    assert state.totals == ((40, 0) if total == 287 else (40, 301))
    assert state.phase is (Phase.ROUND_OVER if total == 287 else Phase.OVER)


# --- 10: between rounds


def test_claims_10_everyone_is_shown_all_hands_and_totals_and_then_the_next_round_starts() -> None:
    """The end of a round shows hands, points and totals to each seat alike."""
    state = position("2s 3s", "Ks Qs", zero="7s", turn=3)
    state.apply(CLAIM)
    ended = end(state)
    assert ended.hands == (cards("2s 3s"), cards("Qs Ks"))
    assert ended.totals == (0, 27)
    assert {ended.seen_by(seat) for seat in range(2)} == {ended}
    assert state.phase is Phase.ROUND_OVER
    state.next_round()
    assert (state.round, state.turn, state.phase) == (2, 1, Phase.PLAYING)
