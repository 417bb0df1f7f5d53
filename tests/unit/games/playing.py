"""Playing any game to its end: the tables there are, ways to choose, and a loop that watches."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import pytest
from hypothesis import Phase as Step
from hypothesis import settings

from arena.games import GAMES, Phase, State
from arenabot.actions import Claim, Draw
from arenabot.anygame import AnyAction, AnyEvent
from arenabot.claro import ClaroRoundEnded
from arenabot.events import RoundEnded

SEED = bytes(range(32))
#: Property tests play whole rounds: few examples, no deadline on a busy machine, and a failure
#: is shrunk, but not explained line by line, which takes minutes.
property_test = settings(
    max_examples=10,
    deadline=None,
    phases=[Step.explicit, Step.reuse, Step.generate, Step.shrink],
)


class Table(NamedTuple):
    """A game and a number of players."""

    game: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game}-{self.seats}"

    def match(self, seed: bytes = SEED, **options: Any) -> State:
        """Deal the first round of a match."""
        known = GAMES[self.game]
        return known.new_match(seats=self.seats, seed=seed, options=known.options(options))


TABLES = [Table(known.id, seats) for known in GAMES.values() for seats in known.seats]
every_table = pytest.mark.parametrize("table", TABLES, ids=str)

Policy: TypeAlias = Callable[[State, int, random.Random], AnyAction]


def at_random(state: State, seat: int, rng: random.Random) -> AnyAction:
    """Any legal action."""
    return rng.choice(state.legal_actions(seat))


def never_claim(state: State, seat: int, rng: random.Random) -> AnyAction:
    """Anything but a claim."""
    return rng.choice([act for act in state.legal_actions(seat) if not isinstance(act, Claim)])


def from_source(source: Draw) -> Policy:
    """Never claim, and draw from ``source`` whenever the rules let one."""

    def choose(state: State, seat: int, rng: random.Random) -> AnyAction:
        legal = [act for act in state.legal_actions(seat) if not isinstance(act, Claim)]
        return rng.choice([act for act in legal if getattr(act, "draw", None) is source] or legal)

    return choose


def by_default(state: State, seat: int, rng: random.Random) -> AnyAction:
    """The default move, as for a seat that never answers."""
    return state.default_action(seat)


stubborn_pile = from_source(Draw.PILE)
from_deck = from_source(Draw.DECK)
POLICIES: dict[str, Policy] = {
    "random": at_random,
    "never claims": never_claim,
    "stubborn pile": stubborn_pile,
    "deck only": from_deck,
    "default moves": by_default,
}
every_policy = pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)


def steps(
    state: State, policy: Policy, rng: random.Random | None = None
) -> Iterator[list[AnyEvent]]:
    """Play ``state`` on to the end of its match; yield what is new after each deal and move."""
    rng = rng or random.Random(1)
    yield list(state.events)
    while state.phase is not Phase.OVER:
        if state.phase is Phase.ROUND_OVER:
            state.next_round()
            told = 0
        else:
            told = len(state.events)
            seat = rng.choice(state.to_act)
            default = policy is by_default
            state.apply(policy(state, seat, rng), seat, default=default)
        yield list(state.events[told:])


@dataclass
class Played:
    """A match, or some of its rounds, that was played."""

    state: State
    events: list[AnyEvent] = field(default_factory=list)

    @property
    def round_ends(self) -> list[RoundEnded | ClaroRoundEnded]:
        """How each round came out."""
        return [ev for ev in self.events if isinstance(ev, RoundEnded | ClaroRoundEnded)]


def play_out(
    state: State, policy: Policy, *, rounds: int | None = None, rng: random.Random | None = None
) -> Played:
    """Play a match to its end, or till so many rounds are scored."""
    played = Played(state)
    for new in steps(state, policy, rng):
        played.events += new
        if rounds is not None and len(played.round_ends) == rounds:
            break
    return played
