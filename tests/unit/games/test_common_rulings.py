"""RULINGS X1 to X13, as Claims shows them; X6 has its own file, X7 the suite of every game."""

from __future__ import annotations

import itertools

import pytest

from arena.games import GAMES, IllegalAction, Phase
from arena.games.burn import ranks_of
from arenabot.actions import CLAIM, Burn, Draw, burn
from arenabot.cards import cards
from arenabot.events import MatchReason, Reshuffle, RoundReason, RoundStarted, Turn
from arenabot.options import OptionError
from tests.unit.games.playing import (
    TABLES,
    Table,
    at_random,
    every_table,
    from_deck,
    play_out,
    steps,
    stubborn_pile,
)
from tests.unit.games.positions import end, last, play, position

# --- X1, X2: seats and starters


@pytest.mark.parametrize("table", [each for each in TABLES if each.game != "claro"], ids=str)
def test_x1_turns_go_clockwise_from_the_starter(table: Table) -> None:
    """Each turn of a round is the next seat's, round the table."""
    state = table.match()
    due = turns = 0
    for news in itertools.islice(steps(state, at_random), 200):
        for event in news:
            if isinstance(event, RoundStarted):
                due = event.starter
            elif isinstance(event, Turn):
                assert event.seat == due
                due = (due + 1) % table.seats
                turns += 1
    assert turns > 100


@pytest.mark.parametrize("seats", range(2, 8))
def test_x2_round_r_is_started_by_seat_r_minus_1(seats: int) -> None:
    """The start goes round the table, whoever won."""
    match = play_out(Table("claims", seats).match(max_rounds=9), at_random)
    starts = [event.starter for event in match.events if isinstance(event, RoundStarted)]
    assert starts == [number % seats for number in range(len(starts))]
    assert len(starts) > 2


# --- X3, X4, X5: a turn, and the move that stands in for it


def test_x3_a_burn_and_its_draw_are_one_decision() -> None:
    """One action burns and draws; then the next seat is to act."""
    state = position("Ks 2s", "Qs", zero="7s", deck="3c")
    play(state, "Ks")
    assert state.hand(0) == cards("2s 3c")
    assert state.to_act == (1,)


def test_x4_an_illegal_move_leaves_the_turn_open_for_the_default_move() -> None:
    """After it the same seat is to act, and its default move is what it would have been."""
    state = position("Ks 2s", "Qs", zero="7s")
    stands_in = state.default_action()
    with pytest.raises(IllegalAction):
        play(state, "Qs")
    assert state.to_act == (0,)
    assert state.default_action() == stands_in


def test_x5_a_default_move_burns_one_card_and_draws_from_the_deck() -> None:
    """Also where a claim, a whole set or the pile would be better."""
    state = play(position("Ks Kh 2s", "Qs Qh 9c", zero="7s", turn=3), "Ks Kh")
    default = state.default_action()
    assert len(default.cards) == 1
    assert default.draw is Draw.DECK


def test_x5_a_default_turn_counts_and_its_card_may_be_taken() -> None:
    """It is told as a default, opens the claim a lap later, and the next seat may take its card."""
    state = position("2s", "As", zero="7s", deck="3c 4c")
    state.apply(state.default_action(), default=True)
    assert last(state) == Turn(0, burn("2s"), cards("3c")[0], default=True)
    assert state.takeable == cards("2s")[0]
    state.apply(state.default_action(), default=True)
    assert CLAIM in state.legal_actions()


# --- X7: what is public (what is private: the suite of every game)


def test_x7_hands_are_shown_once_the_round_ends() -> None:
    """The event of the round's end holds every hand for every seat."""
    state = position("2s", "Ks", zero="7s", turn=3)
    state.apply(CLAIM)
    assert [end(state).seen_by(seat).hands for seat in range(2)] == [(cards("2s"), cards("Ks"))] * 2


def test_x7_a_card_drawn_blind_is_private_and_one_from_the_pile_is_public() -> None:
    """Seat 1 hears what seat 0 took from the pile, and not what it drew from the deck."""
    state = play(position("Ks 2s", "Qs 3s", zero="7s", deck="4c"), "Ks", "Qs<", "2s<")
    blind, taken, _ = (event for event in state.events if isinstance(event, Turn))
    assert blind.seen_by(0).drawn == cards("4c")[0]
    assert blind.seen_by(1).drawn is None
    assert taken.seen_by(0).drawn == taken.seen_by(1).drawn == cards("Ks")[0]


# --- X8: caps


def test_x8_stall_laps_are_counted_from_any_seat_on() -> None:
    """A draw from the deck, by anyone, starts the count anew; then 2n turns end the round."""
    state = position("Ks", "Qs", "Js", zero="7s", deck="2c 3c", stall_laps=2)
    play(state, "Ks", "Qs<", "Js<", "2c<", "Ks")
    assert state.events[-1] == Turn(1, burn("Ks"), cards("3c")[0], default=False)
    phases = []
    for _ in range(6):
        play(state, f"{state.hand(state.seat)[0]}<")
        phases.append(state.phase)
    assert phases == [Phase.PLAYING] * 5 + [Phase.ROUND_OVER]
    assert end(state).reason is RoundReason.STALL_LAPS


def test_x8_a_default_move_counts_as_a_draw_from_the_deck() -> None:
    """It ends a stall."""
    state = play(position("Ks", "Qs", zero="7s", stall_laps=1), "Ks", "Qs<")
    state.apply(state.default_action(), default=True)
    play(state, f"{state.hand(1)[0]}<")
    assert state.phase is Phase.PLAYING


def test_x8_max_laps_end_a_round_scored_as_a_deck_that_ran_out() -> None:
    """After 3n turns the lowest hands add nothing and the others theirs."""
    state = position("Ks", "Qs", zero="7s", deck="2c 3c 2d 3d 2h 3h", max_laps=3)
    play(state, "Ks", "Qs", "2c", "3c", "2d")
    assert state.phase is Phase.PLAYING
    play(state, "3d")
    assert end(state).reason is RoundReason.MAX_LAPS
    assert end(state).points == (0, 3)
    assert (end(state).claimer, end(state).success) == (None, False)


def test_x8_the_defaults_are_20_500_and_500() -> None:
    """As RULINGS gives them for Claims."""
    options = GAMES["claims"].options().as_dict()
    assert options == {"target": 300, "stall_laps": 20, "max_laps": 500, "max_rounds": 500}


def test_x8_max_rounds_end_the_match_ranked_as_usual() -> None:
    """After the second of two rounds, not before it is scored."""
    match = play_out(Table("claims", 3).match(max_rounds=2), from_deck)
    result = match.state.result()
    assert result.reason is MatchReason.MAX_ROUNDS
    assert [ended.round for ended in match.round_ends] == [1, 2]
    assert match.round_ends[-1].totals == result.totals  # type: ignore[union-attr]
    assert result.ranks == ranks_of([(total,) for total in result.totals])


def test_x8_the_target_is_looked_at_before_max_rounds() -> None:
    """A last round that passes the target ends the match by the target."""
    state = position("2s", "Ks", zero="7s", turn=3, totals=[0, 290], max_rounds=1)
    state.apply(CLAIM)
    assert state.result().reason is MatchReason.TARGET


@pytest.mark.parametrize(
    ("name", "value"),
    [("stall_laps", 0), ("max_laps", 1), ("max_rounds", 0), ("max_rounds", 2.5), ("target", 0)],
)
def test_x8_caps_out_of_bounds_are_refused(name: str, value: object) -> None:
    """A cap is a whole number that leaves room to play, and the error names it."""
    with pytest.raises(OptionError, match=f"{name} is {value}"):
        GAMES["claims"].options({name: value})


# --- X9, X10: laps, and the order at the end of a turn


@pytest.mark.parametrize(
    ("max_laps", "reshuffles", "reason"),
    [(2, 3, RoundReason.DECK), (2, 2, RoundReason.MAX_LAPS), (3, 2, None)],
    ids=["a fourth run-out first", "then max_laps", "then a reshuffle"],
)
def test_x10_what_the_last_card_of_the_deck_brings(
    max_laps: int, reshuffles: int, reason: RoundReason | None
) -> None:
    """The deck's last card is drawn at the end of lap 2: the first of the three counts."""
    state = position(
        *("Ks", "Qs"),
        zero="7s",
        deck="2c 3c 4c 5c",
        whole_deck=True,
        reshuffles=reshuffles,
        max_laps=max_laps,
    )
    play(state, "Ks", "Qs", "2c", "3c")
    happened = last(state)
    if isinstance(happened, Reshuffle):
        assert (reason, happened.number, happened.deck_size) == (None, 3, 3)
    else:
        assert end(state).reason is reason


def test_x10_max_laps_come_before_stall_laps() -> None:
    """A turn that fills both counts ends the round by max_laps."""
    state = play(
        position("Ks", "Qs", zero="7s", deck="2c 3c", max_laps=2, stall_laps=1), "Ks", "Qs"
    )
    play(state, "2c<", "3c<")
    assert end(state).reason is RoundReason.MAX_LAPS


def test_x10_a_claim_is_looked_at_before_any_cap() -> None:
    """A seat may claim where one burn more would have ended the round by a cap."""
    state = position("Ks", "2s", zero="7s", deck="3c", turn=4, whole_deck=True, max_laps=2)
    state.apply(CLAIM)
    assert end(state).reason is RoundReason.CLAIM


def test_x10_nobody_may_claim_once_the_turn_ended_the_round() -> None:
    """The seat whose turn would be next has no claim."""
    state = position("Ks", "2s", zero="7s", deck="3c", whole_deck=True, turn=3, reshuffles=3)
    play(state, "Ks")
    with pytest.raises(IllegalAction, match="nobody is to act"):
        state.apply(CLAIM)


# --- X11: ranks


@pytest.mark.parametrize(
    ("totals", "ranks"),
    [
        ((10, 20, 30), (1, 2, 3)),
        ((30, 20, 10), (3, 2, 1)),
        ((5, 7, 7, 9), (1, 2, 2, 4)),
        ((0, 0, 301, 40), (1, 1, 4, 3)),
        ((8, 8, 8), (1, 1, 1)),
    ],
    ids=str,
)
def test_x11_ranks_skip_after_ties(totals: tuple[int, ...], ranks: tuple[int, ...]) -> None:
    """The lowest is first, equals share a rank, and the next rank counts all before it."""
    assert ranks_of([(total,) for total in totals]) == ranks


@pytest.mark.parametrize("seats", range(2, 8))
def test_x11_claims_ranks_by_total_after_resets(seats: int) -> None:
    """Each seat's rank is one more than the number of lower totals."""
    for number in range(20):
        state = play_out(Table("claims", seats).match(bytes([number]) * 32), at_random).state
        result = state.result()
        lower = [sum(other < total for other in state.totals) for total in state.totals]
        assert result.ranks == tuple(1 + count for count in lower)


# --- X12: what is illegal, and why


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (burn(""), "at least one card: burn nothing"),
        (burn("Ks Ks"), "named twice: burn Ks Ks"),
        (burn("Qs"), "not in this hand: Qs: burn Qs"),
        (burn("Ks Kd"), "not in this hand: Kd: burn Ks Kd"),
        (burn("Ks 2s"), "different ranks never go together: burn Ks 2s"),
        (burn("Ks", "pile"), "no pile card may be drawn now"),
        (CLAIM, "no claim is open here"),
    ],
    ids=str,
)
def test_x12_an_illegal_move_says_why(move: Burn, why: str) -> None:
    """None, twice, not held, mixed, no pile, no claim: one line each."""
    state = position("Ks Kh 2s", "Qs", zero="7s")
    with pytest.raises(IllegalAction, match=why):
        state.apply(move)


def test_x12_any_order_of_burning_is_accepted_and_each_set_is_listed_once() -> None:
    """Three kings make seven sets in the list; each of the six orders of all three is accepted."""
    state = position("Ks Kh Kd", "Qs", zero="7s")
    assert len(state.legal_actions()) == 7
    for order in itertools.permutations(cards("Ks Kh Kd")):
        twin = state.copy()
        twin.apply(burn(order))
        assert twin.places()["pile"] == order


def test_x12_legal_actions_come_in_a_fixed_order() -> None:
    """By rank, then size, then card order; the deck before the pile; a claim last."""
    state = play(position("9s", "2h As 2s", zero="9d", turn=3), "9s")
    assert [str(action) for action in state.legal_actions()] == [
        "burn As, draw from the deck",
        "burn As, draw from the pile",
        "burn 2s, draw from the deck",
        "burn 2s, draw from the pile",
        "burn 2h, draw from the deck",
        "burn 2h, draw from the pile",
        "burn 2s 2h, draw from the deck",
        "burn 2s 2h, draw from the pile",
        "claim",
    ]


# --- X13: between rounds


@every_table
def test_x13_a_match_pauses_after_every_round_but_the_last(table: Table) -> None:
    """So that ready can be asked there, and only there."""
    ends = phases = 0
    for news in steps(state := table.match(), stubborn_pile):
        phases += state.phase is Phase.ROUND_OVER
        ends += bool(news) and state.phase is not Phase.PLAYING
    assert state.phase is Phase.OVER
    assert phases == ends - 1 == state.round - 1
