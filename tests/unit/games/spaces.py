"""Every action that could be tried in a game, legal or not."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import random
from collections.abc import Hashable, Iterator
from typing import Any

from arena.games import GAMES
from arenabot.actions import Burn, burns
from arenabot.anygame import AnyAction
from tests.unit.games.playing import Table, never_claim, steps

ALL_CARDS = (1 << 52) - 1


def once(action: AnyAction) -> Hashable:
    """What makes two actions one and the same: the order in which cards are named does not."""
    cards = getattr(action, "cards", None)
    return action if cards is None else _with(action, tuple(sorted(cards)))


@functools.cache
def action_space(game: str) -> frozenset[AnyAction]:
    """Every action that is ever legal, each set in every order, and sets that never are.

    Those name no card, one card twice, or any two cards.
    """
    known = frozenset(_legal_somewhere(game))
    return known.union(*map(_variants, known), _pairs(known))


def _legal_somewhere(game: str) -> Iterator[AnyAction]:
    rng = random.Random(2)
    for seats in GAMES[game].seats:
        state = Table(game, seats).match(rng.randbytes(32))
        for _ in itertools.islice(steps(state, never_claim, rng), 300):
            for seat in state.to_act:
                found = state.legal_actions(seat)
                yield from found
    if any(isinstance(action, Burn) for action in found):
        # Three and four of a kind are rare in play.
        yield from burns(ALL_CARDS, from_pile=True)


def _variants(action: AnyAction) -> Iterator[AnyAction]:
    cards = getattr(action, "cards", None)
    if cards is not None:
        for order in itertools.permutations(cards):
            yield _with(action, order)
        yield _with(action, ())
        yield _with(action, cards + cards[:1])


def _pairs(known: frozenset[AnyAction]) -> Iterator[AnyAction]:
    singles = [action for action in known if len(getattr(action, "cards", ())) == 1]
    cards = sorted({card for action in singles for card in getattr(action, "cards", ())})
    for action in {_with(single, ()): single for single in singles}.values():
        for pair in itertools.combinations(cards, 2):
            yield _with(action, pair)


def _with(action: Any, cards: tuple[Any, ...]) -> Any:
    return dataclasses.replace(action, cards=cards)
