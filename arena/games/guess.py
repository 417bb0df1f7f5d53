"""Whole matches out of what one seat knows, for bots that play ahead.

What a seat cannot see is guessed: ``determinise`` takes the unseen cards in some order, deals
them to where they may lie, and gives a match in that position.  Shuffling them gives a guess in
which every place is as likely for a card as every other; a bot that knows better orders them
better.

>>> import random
>>> from arena.games import determinise, game
>>> observation = game("claims").new_match(seats=3, seed=bytes(32)).observation(0)
>>> rng = random.Random(1)
>>> hidden = list(observation.unseen())
>>> rng.shuffle(hidden)
>>> guess = determinise(observation, hidden, rng.randbytes(32))
>>> guess.observation(0) == observation
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, overload

from arena.games.burn import BurnState
from arena.games.claim import CLAIM, ClaimState
from arena.games.claims import CLAIMS, ClaimsState
from arena.games.claro import CLARO, ClaroState
from arenabot.actions import Burn, Draw
from arenabot.cards import DECK, Card
from arenabot.claro import (
    ClaroCard,
    ClaroObservation,
    ClaroReshuffle,
    Passed,
    Played,
)
from arenabot.events import Hand, RoundStarted, Turn
from arenabot.observation import ClaimObservation, ClaimsObservation, Observation
from arenabot.options import ClaimsOptions


@overload
def determinise(
    observation: ClaimsObservation, hidden: Sequence[Card], seed: bytes
) -> ClaimsState: ...
@overload
def determinise(
    observation: ClaimObservation, hidden: Sequence[Card], seed: bytes
) -> ClaimState: ...
@overload
def determinise(
    observation: ClaroObservation, hidden: Sequence[ClaroCard], seed: bytes
) -> ClaroState: ...
def determinise(
    observation: Observation[Any] | ClaroObservation, hidden: Sequence[Any], seed: bytes
) -> BurnState[Any] | ClaroState:
    """Make the match that ``observation`` was taken from, with a guess for all that it hides.

    ``hidden`` are the cards of ``observation.unseen()``, each once, in the order in which they
    are dealt: to the other seats, from seat 0, as many as are unknown in each hand; then to the
    deck, its top first.  All later chance comes from ``seed``: give every guess its own 32 bytes.

    The match gives the same observation back and can be played to its end.  What has happened
    stays as this seat saw it: ``events`` show no card that was hidden from it.  Two things that
    an observation does not tell are as at the start of a match: in Claim! how many claims held,
    which only breaks ties, and in Claro's discard phase nobody has chosen yet.

    Raises ``ValueError`` where ``hidden`` is not what is unseen.
    """
    if tuple(sorted(hidden)) != observation.unseen():
        raise ValueError("hidden must be the cards of observation.unseen(), each once")
    if isinstance(observation, ClaroObservation):
        return _claro(observation, hidden, seed)
    rules = CLAIMS if isinstance(observation.options, ClaimsOptions) else CLAIM
    match = rules.new_match(seats=observation.seats, seed=seed, options=observation.options)
    return _burn(match, observation, hidden)


# A match is dealt as usual and then put into position, so that nothing of it stays undefined.
# The states' own attributes are written here and nowhere else outside their classes.


def _burn(
    match: BurnState[Any], observation: Observation[Any], hidden: Sequence[Card]
) -> BurnState[Any]:
    dealing = iter(hidden)
    hands = tuple(
        (*known, *islice(dealing, size - len(known)))
        for known, size in zip(observation.known_hands(), observation.hand_sizes, strict=True)
    )
    match._set_up(hands, observation.zero, tuple(dealing))
    match.round = observation.round
    match.starter = observation.starter
    match.seat = observation.seat
    match._totals = list(observation.totals)
    match._pile = list(observation.pile())
    match._takeable = observation.takeable
    match._turns = observation.turn - 1
    match._stalled = _stalled(observation)
    match._reshuffles = observation.reshuffles
    match.events = [_deal_seen(match, observation), *observation.history]
    return match


def _stalled(observation: Observation[Any]) -> int:
    """How many turns in a row, up to now, have left the deck alone."""
    stalled = 0
    for turn in _turns_back(observation):
        if isinstance(turn.action, Burn) and turn.action.draw is Draw.DECK:
            break
        stalled += 1
    return stalled


def _deal_seen(match: BurnState[Any], observation: Observation[Any]) -> RoundStarted:
    """The round's deal as the seat saw it, its own cards in card order."""
    hand = set(observation.hand)
    for turn in _turns_back(observation):
        if turn.seat == observation.seat and isinstance(turn.action, Burn):
            hand = hand - {turn.drawn} | set(turn.action.cards)
    hands: list[Hand | None] = [None] * observation.seats
    hands[observation.seat] = tuple(sorted(hand))
    deck_size = len(DECK) - 1 - match.dealt * observation.seats
    return RoundStarted(
        observation.round, observation.starter, observation.zero, tuple(hands), None, deck_size
    )


def _turns_back(observation: Observation[Any]) -> Iterator[Turn]:
    return (event for event in reversed(observation.history) if isinstance(event, Turn))


def _claro(observation: ClaroObservation, hidden: Sequence[ClaroCard], seed: bytes) -> ClaroState:
    match = CLARO.new_match(seats=observation.seats, seed=seed, options=observation.options)
    dealing = iter(hidden)
    hands = tuple(
        observation.hand if seat == observation.seat else tuple(islice(dealing, size))
        for seat, size in enumerate(observation.hand_sizes)
    )
    match._set_up(hands, tuple(dealing))
    match.round = observation.round
    match.starter = observation.starter
    match._stars = list(observation.stars)
    match._passed = list(observation.passed)
    match._played = list(observation.played)
    match._discard_pile = list(observation.discard_pile)
    match.events = list(observation.history)
    match._turns = match._reshuffles = 0
    match._winner = observation.starter
    for event in observation.history:
        if isinstance(event, Played | Passed):
            match._turns = event.turn
        if isinstance(event, Played):
            match._winner = event.seat
        elif isinstance(event, ClaroReshuffle):
            match._reshuffles = event.number
    match._seat = observation.seat
    if observation.discarding:
        match._choosing = tuple(
            seat
            for seat, size in enumerate(observation.hand_sizes)
            if size and seat != match._winner
        )
    return match
