"""Twins: the same match as one seat sees it, with everything that it cannot see permuted.

All that is hidden came out of a shuffle.  So a match is played and its shuffles are noted; for
each one, cards that the seat has not seen since are put into each other's places; and the same
moves are played again on the shuffles so changed.  Choices that nobody has seen yet are hidden,
too: they are made anew.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias
from unittest import mock

from arena.games import IllegalAction, Phase, State
from arena.games.chance import Chance
from arenabot.anygame import AnyAction
from tests.unit.games.playing import Policy, Table

Order: TypeAlias = list[Any]


@contextmanager
def shuffles(script: Sequence[Order] | None = None) -> Iterator[list[Order]]:
    """Note each shuffle's outcome; with a script, let that be the outcomes, in order."""
    noted: list[Order] = []
    shuffled = Chance.shuffled

    def instead(chance: Chance, cards: Iterable[Any]) -> Order:
        given = list(cards)
        order = shuffled(chance, given) if script is None else list(script[len(noted)])
        assert sorted(order) == given, "a shuffle starts from its cards in canonical order"
        noted.append(order)
        return list(order)

    with mock.patch.object(Chance, "shuffled", instead):
        yield noted


class Move(NamedTuple):
    """Who did what, and whether as a default move."""

    seat: int
    action: AnyAction
    default: bool


class Deal(NamedTuple):
    """What a match and its watcher are."""

    table: Table
    seed: bytes
    #: The seat that watches.
    seat: int


@dataclass
class Step:
    """One step of a match and all that its watcher could see of it."""

    #: ``None`` for the deal of a round.
    move: Move | None
    #: How many shuffles there had been after it.
    shuffles: int
    #: The news as the watcher hears it.
    told: list[Any]
    #: The match's public face, and what the watcher is asked.
    face: list[Any]
    asked: list[Any]

    @property
    def seen(self) -> list[Any]:
        """All that the watcher can see."""
        return [self.told, self.face, self.asked]


@dataclass
class Story:
    """A match so far: where it stands, and how it came there."""

    state: State
    orders: list[Order]
    steps: list[Step]


def _begin(deal: Deal, orders: list[Order]) -> Story:
    story = Story(deal.table.match(deal.seed), orders, [])
    _note(story, deal.seat, None, 0)
    return story


def _note(story: Story, watcher: int, move: Move | None, told: int) -> None:
    state = story.state
    asked: list[Any] = []
    if watcher in state.to_act:
        asked = [state.prompt(watcher), state.observation(watcher), state.legal_actions(watcher)]
    news = [event.seen_by(watcher) for event in state.events[told:]]
    face = [state.phase, state.to_act, state.round, state.turn, state.totals]
    story.steps.append(Step(move, len(story.orders), news, face, asked))


def _go_on(story: Story, watcher: int, move: Move | None) -> None:
    """Make a move, or deal the next round."""
    told = len(story.state.events)
    if move is None:
        story.state.next_round()
        told = 0
    else:
        story.state.apply(move.action, move.seat, default=move.default)
    _note(story, watcher, move, told)


def record(deal: Deal, policy: Policy, rng: random.Random, length: int) -> Story:
    """Play so many steps, or to the end."""
    with shuffles() as orders:
        story = _begin(deal, orders)
        state = story.state
        while len(story.steps) < length and state.phase is not Phase.OVER:
            move = None
            if state.phase is Phase.PLAYING:
                seat = rng.choice(state.to_act)
                move = Move(seat, policy(state, seat, rng), rng.random() < 0.2)
            _go_on(story, deal.seat, move)
    return story


def twin(deal: Deal, story: Story, rng: random.Random) -> Story | None:
    """The same story on permuted cards, or ``None`` where what is public rules those out.

    In Claro a seat with a fitting card must play: public moves and passes do not fit every
    permutation.  (In the other games they do.)
    """
    secret = _unseen_choices(story)
    with shuffles(_permuted(story, rng)) as orders:
        other = _begin(deal, orders)
        for number, step in enumerate(story.steps[1:], start=1):
            move = step.move
            if move is not None and number in secret and move.seat != deal.seat:
                legal = other.state.legal_actions(move.seat)
                move = move._replace(action=rng.choice(legal))
            try:
                _go_on(other, deal.seat, move)
            except IllegalAction:
                return None
            if other.steps[-1].face != step.face:
                return None
    return other


def _unseen_choices(story: Story) -> set[int]:
    """The last steps, as far as nobody was told of them."""
    steps = len(story.steps)
    while steps and not story.steps[steps - 1].told:
        steps -= 1
    return set(range(steps, len(story.steps)))


def _permuted(story: Story, rng: random.Random) -> list[Order]:
    """Each shuffle, with some cards that were not seen since it in each other's places."""
    script = []
    for number, order in enumerate(story.orders):
        # A step that shuffles may show cards before it does: they are left where they are.
        since = [step.told for step in story.steps if step.shuffles > number]
        seen = set(cards_in(since, type(order[0])))
        places = [place for place, card in enumerate(order) if card not in seen]
        chosen = rng.sample(places, rng.randint(0, len(places)))
        hidden = [order[place] for place in chosen]
        rng.shuffle(hidden)
        changed = list(order)
        for place, card in zip(chosen, hidden, strict=True):
            changed[place] = card
        script.append(changed)
    return script


def cards_in(thing: Any, kind: type) -> Iterator[Any]:
    """Every card in a nest of records, tuples and lists."""
    if type(thing) is kind:
        yield thing
    elif isinstance(thing, list | tuple):
        for part in thing:
            yield from cards_in(part, kind)
    elif hasattr(thing, "__dataclass_fields__"):
        for name in thing.__dataclass_fields__:
            yield from cards_in(getattr(thing, name), kind)
