"""Positions for the rules' tests, written as a person would write them.

``position("Ks Kh 9s", "2s 3s", zero="7s", deck="3c Td")`` is a table of two at the start of a
round.  ``claim_position`` does the same for Claim!, and ``claro_position("44 38", "1 3", "46")``
for Claro.  This is the only place in the tests that reaches into the engine's private parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from arena.games.burn import BurnGame, BurnState
from arena.games.claim import CLAIM
from arena.games.claims import CLAIMS
from arena.games.claro import CLARO, ClaroState
from arenabot.actions import Burn, burn
from arenabot.cards import DECK, Card, cards
from arenabot.claro import CLARO_CARDS, Play, claro_cards
from arenabot.events import Event, RoundEnded

BurnTable: TypeAlias = BurnState[Any]

SEED = bytes(range(32))


def position(
    *hands: str,
    zero: str,
    deck: str = "",
    whole_deck: bool = False,
    turn: int = 1,
    totals: Sequence[int] | None = None,
    reshuffles: int = 0,
    game: BurnGame[Any] = CLAIMS,
    **options: Any,
) -> BurnTable:
    """A match of Claims (or Claim!) whose first round stands thus, seat 0 its starter.

    ``deck`` names its top cards in order; the cards that nobody named lie below them, unless it
    is the ``whole_deck``.  ``turn`` is the number of the turn that is due; no pile lies there yet.
    """
    held = [cards(hand) for hand in hands]
    top = cards(deck)
    named = [Card(zero), *top, *(card for hand in held for card in hand)]
    assert len(set(named)) == len(named), "a card is named twice"
    below = () if whole_deck else tuple(card for card in DECK if card not in named)
    state = game.new_match(seats=len(hands), seed=SEED, options=game.options(options))
    state._set_up(tuple(held), zero=Card(zero), deck=top + below)
    state._turns = turn - 1
    state.seat = (turn - 1) % len(hands)
    state._reshuffles = reshuffles
    if totals is not None:
        state._totals = list(totals)
    return state


def claim_position(*hands: str, good_claims: Sequence[int] | None = None, **rest: Any) -> BurnTable:
    """The same for Claim!; ``good_claims`` are the claims of the match so far that held."""
    state = position(*hands, game=CLAIM, **rest)
    if good_claims is not None:
        state._good_claims = list(good_claims)
    return state


def claro_position(
    *hands: str,
    draw: str = "",
    whole_pile: bool = False,
    discard: str = "",
    stars: Sequence[int] | None = None,
    leader: int = 0,
) -> ClaroState:
    """A match of Claro whose round begins thus.

    ``draw`` names the draw pile's top cards in order; the cards that nobody named lie below them,
    unless it is the ``whole_pile``, and then they are in no place at all.
    """
    held = [claro_cards(hand) for hand in hands]
    top, thrown = claro_cards(draw), claro_cards(discard)
    named = [*top, *thrown, *(card for hand in held for card in hand)]
    assert len(set(named)) == len(named), "a card is named twice"
    below = () if whole_pile else tuple(card for card in CLARO_CARDS if card not in named)
    state = CLARO.new_match(seats=len(hands), seed=SEED)
    state.round = 0
    state._winner = leader
    state._discard_pile = list(thrown)
    if stars is not None:
        state._stars = list(stars)
    state._set_up(tuple(held), top + below)
    return state


def put(state: ClaroState, *cards_: str) -> ClaroState:
    """Play these cards of Claro in turn, each by whoever is to act."""
    for card in cards_:
        state.apply(Play(claro_cards(card)[0]))
    return state


def play(state: BurnTable, *moves: str) -> BurnTable:
    """Play moves in turn: ``"Ks Kh"`` burns and draws from the deck, ``"9s<"`` from the pile."""
    for move in moves:
        state.apply(action(move))
    return state


def action(move: str) -> Burn:
    """Read a burn as ``play`` takes it."""
    return burn(move.rstrip("<"), "pile" if move.endswith("<") else "deck")


def last(state: BurnTable) -> Event:
    """What happened last."""
    return state.events[-1]


def end(state: BurnTable) -> RoundEnded:
    """How the round ended; fails if it has not."""
    ended = state.events[-1]
    assert isinstance(ended, RoundEnded), f"the round goes on: {ended}"
    return ended
