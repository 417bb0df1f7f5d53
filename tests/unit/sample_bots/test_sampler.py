"""The sampler's own dealing and playing out, against the engine."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from statistics import fmean
from typing import cast

import pytest

from arena.games import GAMES, Phase, determinise
from arena.games.claro import ClaroState
from arenabot import ClaroObservation, Play
from arenabot.bots import MatchInfo
from arenabot.claro import ClaroCard
from sample_bots.sampler import bot as sampler

Choice = Callable[[ClaroObservation, random.Random], ClaroCard]
every_number = pytest.mark.parametrize("seats", GAMES["claro"].seats)


def lowest(observation: ClaroObservation, rng: random.Random) -> ClaroCard:
    """What everybody is taken to play."""
    return observation.fitting()[0]


def anything(observation: ClaroObservation, rng: random.Random) -> ClaroCard:
    """Any card that fits."""
    return rng.choice(observation.fitting())


def turns(
    seats: int, rng: random.Random, choice: Choice
) -> Iterator[tuple[ClaroState, ClaroObservation]]:
    """Every turn of some matches, with what the seat whose turn it is knows."""
    for _ in range(4):
        state = cast("ClaroState", GAMES["claro"].new_match(seats=seats, seed=rng.randbytes(32)))
        while state.phase is not Phase.OVER:
            if state.phase is Phase.ROUND_OVER:
                state.next_round()
            elif state.discarding:
                state.apply(rng.choice(state.legal_actions()))
            else:
                observation = state.observation(state.to_act[0])
                yield state, observation
                state.apply(Play(choice(observation, rng)))


def player(seats: int, seat: int) -> sampler.SamplingClaro:
    """A sampler at the start of a match."""
    bot = sampler.SamplingClaro()
    options = GAMES["claro"].options()
    bot.begin(MatchInfo("claro", options, seat, seats, 1, 20.0, 60.0, 600.0))
    return bot


@every_number
def test_a_round_is_played_out_as_the_engine_does(seats: int) -> None:
    """On any deal and after any card, the same seat wins it."""
    rng = random.Random(seats)
    for _, observation in turns(seats, rng, anything):
        hidden = list(observation.unseen())
        rng.shuffle(hidden)
        match = determinise(observation, hidden, rng.randbytes(32))
        card = anything(observation, rng)
        hands = [
            0 if observation.passed[seat] else sum(held.bit for held in match.hand(seat))
            for seat in range(seats)
        ]
        hands[observation.seat] ^= card.bit
        fits_on = observation.options.deck.fitting
        winner = sampler.last_to_play(hands, observation.seat, card, fits_on)
        match.apply(Play(card))
        while match.phase is Phase.PLAYING and not match.discarding:
            match.apply(match.legal_actions()[0])
        assert match.totals[winner] == observation.stars[winner] + 1


@every_number
def test_nothing_that_a_hand_holds_is_ruled_out_while_all_play_their_lowest(seats: int) -> None:
    """So the true deal is always among those that are sampled."""
    ruled_out = 0
    for state, observation in turns(seats, random.Random(seats), lowest):
        for other in sampler.others_of(observation):
            hand = sum(card.bit for card in state.hand(other.seat))
            assert not hand & other.without
            assert other.size == hand.bit_count()
            assert other.passed == observation.passed[other.seat]
            ruled_out += other.without.bit_count()
    assert ruled_out > 1000


@every_number
@pytest.mark.parametrize("choice", [lowest, anything])
def test_a_deal_is_one_that_may_be(seats: int, choice: Choice) -> None:
    """Every hand has its size and no card is dealt twice, however the others really play.

    Where all play as expected, nearly all deals agree with what is ruled out, too.
    """
    agreeing = []
    for _, observation in turns(seats, random.Random(seats), choice):
        bot = player(seats, observation.seat)
        unseen = [card.bit for card in observation.unseen()]
        others = sampler.others_of(observation)
        hands = bot.deal(unseen, others, seats)
        for other in others:
            assert hands[other.seat].bit_count() == (0 if other.passed else other.size)
        agreeing.append(not any(hands[other.seat] & other.without for other in others))
        assert sum(hands) & ~sum(unseen) == 0
        assert sum(hand.bit_count() for hand in hands) == sum(hands).bit_count()
    if choice is lowest:
        assert fmean(agreeing) > 0.9


def test_a_turn_takes_a_fixed_number_of_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """None where only one card fits, and always as many where there is a choice."""
    dealt = 0
    deal = sampler.SamplingClaro.deal

    def counted(
        self: sampler.SamplingClaro, unseen: list[int], others: list[sampler.Other], seats: int
    ) -> list[int]:
        nonlocal dealt
        dealt += 1
        return deal(self, unseen, others, seats)

    monkeypatch.setattr(sampler.SamplingClaro, "deal", counted)
    choices = set()
    for _, observation in turns(3, random.Random(3), lowest):
        dealt = 0
        player(3, observation.seat).play(observation)
        choices.add(len(observation.fitting()) > 1)
        assert dealt == (sampler.DEALS if len(observation.fitting()) > 1 else 0)
    assert choices == {True, False}
