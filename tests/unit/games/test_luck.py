"""The luck of the deal is chance alone: zero on average, whatever the seats do."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean, stdev

import pytest

from arena.games import Phase, game
from arena.games.luck import luck_of
from arenabot.actions import CLAIM, Burn, Draw, burn
from arenabot.anygame import AnyAction, AnyEvent
from arenabot.cards import DECK, Card, cards
from arenabot.claro import (
    CLARO_CARDS,
    ClaroOptions,
    ClaroReshuffle,
    ClaroRoundStarted,
    Discard,
    Refilled,
    claro_cards,
)
from arenabot.events import Reshuffle, RoundStarted, Turn
from arenabot.options import ClaimsOptions, Options

#: Claims deals five from 51 cards: twelve ranks that cost something, four cards of each.
EXPECTED = 12 * (1 - math.comb(47, 5) / math.comb(51, 5))


def luck(options: Options, seats: int, *events: AnyEvent) -> tuple[float, ...]:
    """What these events come to."""
    watch = luck_of(options, seats)
    for event in events:
        watch.see(event)
    return watch.by_seat


def dealt(zero: str, *hands: str, deck: str = "") -> RoundStarted:
    """A round of Claims or Claim! begins."""
    top = cards(deck)
    return RoundStarted(1, 0, Card(zero), tuple(map(cards, hands)), top, len(top))


def claro_dealt(*hands: str, pile: str = "", round_: int = 1) -> ClaroRoundStarted:
    """A round of Claro begins."""
    held, top = tuple(map(claro_cards, hands)), claro_cards(pile)
    return ClaroRoundStarted(round_, 0, held, top, tuple(map(len, held)), len(top))


def refilled(seat: int, drawn: str) -> Refilled:
    """A seat of Claro draws."""
    return Refilled(seat, claro_cards(drawn), len(claro_cards(drawn)))


def test_a_hand_is_as_good_as_it_takes_few_burns_to_be_rid_of() -> None:
    """Cards of one rank go together, those of the zero rank cost nothing."""
    found = luck(
        ClaimsOptions(), 3, dealt("7s", "Ks Kh Kd 2c 2s", "7h 7d 7c As Ah", "3s 4s 5s 6s 8s")
    )
    assert found == pytest.approx((EXPECTED - 2, EXPECTED - 1, EXPECTED - 5))


def test_hands_are_worth_nothing_on_average() -> None:
    """Over all hands of three cards that there are beside the zero card."""
    others = [card for card in DECK if card != Card("7s")]
    hands = tuple(combinations(others, 3))
    found = luck(ClaimsOptions(), len(hands), RoundStarted(1, 0, Card("7s"), hands, (), 0))
    assert fmean(found) == pytest.approx(0, abs=1e-9)
    assert min(found) < 0 < max(found)


@pytest.mark.parametrize("hand", ["Ks Kh 9s 4s As", "7h 7d 2s 3s 4s", "Qs Qh Qd Qc 2s"])
def test_a_blind_draw_is_worth_nothing_on_average(hand: str) -> None:
    """Over all cards that might have lain on top of the deck, whatever the hand was."""
    deck = cards("3c Td 5h 2c 7c Kd 9h Ad 4h")
    burned = burn(f"{hand[:2]}", Draw.DECK)
    assert isinstance(burned, Burn)
    found = []
    for top in deck:
        rest = " ".join(str(card) for card in deck if card != top)
        begun = dealt("7s", hand, deck=f"{top} {rest}")
        found.append(luck(ClaimsOptions(), 1, begun, Turn(0, burned, top, False))[0])
    assert fmean(found) == pytest.approx(luck(ClaimsOptions(), 1, begun)[0])
    assert len(set(found)) == 2


def test_a_card_from_the_pile_is_no_luck() -> None:
    """It was chosen; but it stays in the hand, where it makes its like welcome."""
    begun = dealt("7s", "Ks 2s", "Kh 3s", deck="Kd 4d")
    turns = (
        Turn(0, burn("Ks", Draw.DECK), Card("Kd"), False),
        Turn(1, burn("3s", Draw.PILE), Card("Ks"), False),
    )
    before = luck(ClaimsOptions(), 2, begun)
    assert luck(ClaimsOptions(), 2, begun, *turns)[1] == before[1]
    # Kings are good for seat 1 now: of the new deck's three cards two would cost it a burn.
    after = luck(
        ClaimsOptions(),
        2,
        begun,
        *turns,
        Reshuffle(1, cards("Kc 5d 6d"), 3),
        Turn(1, burn("Ks", Draw.DECK), Card("Kc"), False),
    )
    assert after[1] - before[1] == pytest.approx(2 / 3)


def test_a_card_of_claro_is_as_good_as_it_fits_on_many() -> None:
    """A joker only on those with stars; the hands of later rounds are no new luck."""
    high, low = luck(ClaroOptions(), 2, claro_dealt("50", "1"))
    assert low < 0 < high <= 1
    assert luck(ClaroOptions(), 2, claro_dealt("50", "1", round_=2)) == (0, 0)


def test_cards_of_claro_are_worth_nothing_on_average() -> None:
    """Over the whole deck, and over what may be drawn, through a reshuffle too."""
    hands = tuple((card,) for card in CLARO_CARDS)
    begun = ClaroRoundStarted(1, 0, hands, (), (1,) * len(hands), 0)
    assert fmean(luck(ClaroOptions(), len(hands), begun)) == pytest.approx(0, abs=1e-9)
    new = ClaroReshuffle(1, claro_cards("3 17 44 J1"), 4)
    first = [
        luck(ClaroOptions(), 1, claro_dealt("", pile="30"), new, refilled(0, f"30 {card}"))[0]
        for card in ("3", "17", "44", "J1")
    ]
    assert fmean(first) == pytest.approx(0, abs=1e-9)
    assert len(set(first)) == 4


def played(game_id: str, seats: int, number: int) -> tuple[float, ...]:
    """The luck of a match in which seat 0 loves the deck and large sets, seat 1 the pile."""
    rules = game(game_id)
    options = rules.options({} if game_id == "claro" else {"max_rounds": 3})
    match = rules.new_match(seats=seats, seed=number.to_bytes(32, "big"), options=options)
    watch, chance, seen = luck_of(options, seats), random.Random(number), 0
    while match.phase is not Phase.OVER:
        if match.phase is Phase.ROUND_OVER:
            match.next_round()
            seen = 0
        for seat in match.to_act:
            match.apply(_choice(match.legal_actions(seat), seat, chance), seat)
        for event in match.events[seen:]:
            watch.see(event)
        seen = len(match.events)
    return watch.by_seat


def _choice(legal: Sequence[AnyAction], seat: int, chance: random.Random) -> AnyAction:
    if CLAIM in legal and chance.random() < 0.5:
        return CLAIM
    wanted = {0: Draw.DECK, 1: Draw.PILE}.get(seat)
    loved = [action for action in legal if isinstance(action, Burn) and action.draw is wanted]
    if loved:
        return max(loved, key=lambda action: len(action.cards))
    if isinstance(legal[0], Discard):
        return legal[seat % len(legal)]
    return chance.choice([action for action in legal if action != CLAIM] or legal)


@pytest.mark.parametrize(
    ("game_id", "seats"), [("claims", 2), ("claims", 5), ("claim", 3), ("claro", 3), ("claro", 6)]
)
def test_nobody_is_lucky_on_average_however_it_plays(game_id: str, seats: int) -> None:
    """Over 250 matches each seat's mean is within 4 standard errors of 0."""
    matches = [played(game_id, seats, number) for number in range(250)]
    for lucks in zip(*matches, strict=True):
        assert abs(fmean(lucks)) < 4 * stdev(lucks) / math.sqrt(len(lucks))
        assert stdev(lucks) > 0.05
