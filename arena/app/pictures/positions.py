"""Finds positions of Claim! that show a rule, by playing matches until they come up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.games.api import Phase
from arena.games.claim import CLAIM as CLAIM_GAME
from arena.games.claim import ClaimState
from arenabot.actions import CLAIM, Action, Burn, Draw
from arenabot.cards import Card
from arenabot.events import MatchReason, RoundEnded, RoundReason

SEATS = 3
#: The hand at which the players of the pictures claim.
_CLAIM_AT = 6


@dataclass(frozen=True, slots=True)
class Deal:
    """A round just dealt, as seat 0 sees it."""

    hand: tuple[Card, ...]
    zero: Card
    deck_size: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn that burns a pair and may take either card."""

    hand: tuple[Card, ...]
    pair: tuple[Card, ...]
    takeable: Card
    zero: Card
    deck_size: int


@dataclass(frozen=True, slots=True)
class Ending:
    """A round that a claim ended, or the last one of a match."""

    end: RoundEnded
    zero: Card
    #: The number of the turn of the round in which it was claimed, from 1.
    turn: int
    target: int


def deal() -> Deal:
    """A deal in which seat 0 holds a card of the trump rank."""
    for state in _matches():
        if any(card.rank == state.zero.rank for card in state.hand(0)):
            return Deal(state.hand(0), state.zero, len(state.places()["deck"]))
    raise AssertionError("matches have no end")  # pragma: no cover


def choice() -> Choice:
    """A turn with exactly one pair, and a card to take that is cheaper than a blind one."""
    for state in _turns():
        hand, takeable = state.hand(state.seat), state.takeable
        pairs = [
            action
            for action in state.legal_actions()
            if isinstance(action, Burn) and action.draw is Draw.DECK and len(action.cards) > 1
        ]
        if len(pairs) == 1 and takeable is not None and takeable.rank < 4 and len(hand) == 4:
            pair = pairs[0].cards
            if state.zero.rank not in (pair[0].rank, takeable.rank):
                deck = len(state.places()["deck"])
                return Choice(hand, pair, takeable, state.zero, deck)
    raise AssertionError("matches have no end")  # pragma: no cover


def claim(*, success: bool) -> Ending:
    """A round that ended by a claim that held, or by one that did not."""
    for state in _rounds():
        end = state.events[-1]
        if isinstance(end, RoundEnded) and end.reason is RoundReason.CLAIM:
            few = all(len(hand) <= 4 for hand in end.hands)
            if end.success is success and few and min(end.points) < max(end.points):
                return Ending(end, state.zero, len(state.events) - 2, state.options.target)
    raise AssertionError("matches have no end")  # pragma: no cover


def match_end() -> Ending:
    """The last round of a match that one seat won alone."""
    for state in _rounds():
        end = state.events[-1]
        if state.phase is Phase.OVER and isinstance(end, RoundEnded):
            result = state.result()
            if result.reason is MatchReason.TARGET and len(result.winners) == 1:
                return Ending(end, state.zero, len(state.events) - 2, state.options.target)
    raise AssertionError("matches have no end")  # pragma: no cover


def _matches() -> Iterator[ClaimState]:
    number = 0
    while True:
        match = CLAIM_GAME.new_match(seats=SEATS, seed=number.to_bytes(32, "big"))
        assert isinstance(match, ClaimState)  # noqa: S101 - the game makes its own state
        yield match
        number += 1


def _turns() -> Iterator[ClaimState]:
    for state in _matches():
        while state.phase is Phase.PLAYING:
            yield state
            state.apply(_sensible(state))


def _rounds() -> Iterator[ClaimState]:
    """The state after each round of each match."""
    for state in _matches():
        while state.phase is not Phase.OVER:
            if state.phase is Phase.ROUND_OVER:
                state.next_round()
            while state.phase is Phase.PLAYING:
                state.apply(_sensible(state))
            yield state


def _sensible(state: ClaimState) -> Action:
    """Throw what costs most, take what is cheap, claim a small hand."""
    actions = state.legal_actions()
    if actions[-1] is CLAIM and state.hand_points(state.seat) <= _CLAIM_AT:
        return CLAIM
    seen = state.observation(state.seat)

    def cost(action: Action) -> int:
        if not isinstance(action, Burn):
            return 1000
        thrown = sum(map(seen.points_of, action.cards))
        drawn = (
            6
            if seen.takeable is None or action.draw is Draw.DECK
            else seen.points_of(seen.takeable)
        )
        return drawn - thrown

    return min(actions, key=cost)
