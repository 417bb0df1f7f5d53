"""Positions for the rules' tests, written as a person would write them.

``position("Ks Kh 9s", "2s 3s", zero="7s", deck="3c Td")`` is a table of two at the start of a
round.  This is the only place in the tests that reaches into the engine's private parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from arena.games.burn import BurnState
from arena.games.claims import CLAIMS
from arenabot.actions import Burn, burn
from arenabot.cards import DECK, Card, cards
from arenabot.events import Event, RoundEnded
from arenabot.options import ClaimsOptions

ClaimsTable: TypeAlias = BurnState[ClaimsOptions]

SEED = bytes(range(32))


def position(
    *hands: str,
    zero: str,
    deck: str = "",
    whole_deck: bool = False,
    turn: int = 1,
    totals: Sequence[int] | None = None,
    reshuffles: int = 0,
    **options: Any,
) -> ClaimsTable:
    """A match of Claims whose first round stands thus, seat 0 its starter.

    ``deck`` names its top cards in order; the cards that nobody named lie below them, unless it
    is the ``whole_deck``.  ``turn`` is the number of the turn that is due; no pile lies there yet.
    """
    held = [cards(hand) for hand in hands]
    top = cards(deck)
    named = [Card(zero), *top, *(card for hand in held for card in hand)]
    assert len(set(named)) == len(named), "a card is named twice"
    below = () if whole_deck else tuple(card for card in DECK if card not in named)
    state = CLAIMS.new_match(seats=len(hands), seed=SEED, options=CLAIMS.options(options))
    state._set_up(tuple(held), zero=Card(zero), deck=top + below)
    state._turns = turn - 1
    state.seat = (turn - 1) % len(hands)
    state._reshuffles = reshuffles
    if totals is not None:
        state._totals = list(totals)
    return state


def play(state: ClaimsTable, *moves: str) -> ClaimsTable:
    """Play moves in turn: ``"Ks Kh"`` burns and draws from the deck, ``"9s<"`` from the pile."""
    for move in moves:
        state.apply(action(move))
    return state


def action(move: str) -> Burn:
    """Read a burn as ``play`` takes it."""
    return burn(move.rstrip("<"), "pile" if move.endswith("<") else "deck")


def last(state: ClaimsTable) -> Event:
    """What happened last."""
    return state.events[-1]


def end(state: ClaimsTable) -> RoundEnded:
    """How the round ended; fails if it has not."""
    ended = state.events[-1]
    assert isinstance(ended, RoundEnded), f"the round goes on: {ended}"
    return ended
