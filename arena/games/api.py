"""What every game offers: the one shape that matches, verifiers and search bots rely on."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self, TypeVar

from arenabot.anygame import AnyAction, AnyEvent, AnyObservation, AnyPrompt
from arenabot.events import Result
from arenabot.options import Options

OptionsT = TypeVar("OptionsT", bound=Options)


class IllegalAction(ValueError):
    """An action that the rules do not allow here; the state is as it was before."""


class Phase(enum.Enum):
    """What a match is waiting for."""

    #: The seats in ``to_act`` must decide.
    PLAYING = "playing"
    #: The round was scored; ``next_round`` deals the next one.
    ROUND_OVER = "round over"
    #: The match has a result.
    OVER = "over"


class State(Protocol):
    """One match in progress.  It changes in place; ``copy`` first to look ahead."""

    @property
    def seats(self) -> int:
        """The number of seats."""

    @property
    def phase(self) -> Phase:
        """What the match is waiting for."""

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must decide now; empty unless the phase is ``PLAYING``."""

    @property
    def round(self) -> int:
        """The current round's number, from 1."""

    @property
    def turn(self) -> int:
        """The number of the turn that is due, from 1 in each round; 0 while none is."""

    @property
    def totals(self) -> tuple[int, ...]:
        """Each seat's points so far."""

    @property
    def events(self) -> Sequence[AnyEvent]:
        """Everything that has happened in this round, in order, nothing hidden."""

    def places(self) -> Mapping[str, Sequence[int]]:
        """Where each card lies, nothing hidden: in ``hand 0`` and so on, or elsewhere by name.

        What is drawn from lies top first.  Each card of the match is in exactly one place, at
        any time.
        """

    def legal_actions(self, seat: int | None = None) -> Sequence[AnyAction]:
        """Every action open to ``seat`` (by default whoever is to act), each set once (X12).

        This and every method that takes a seat raise ``IllegalAction`` where it is not to act.
        """

    def apply(self, action: AnyAction, seat: int | None = None, *, default: bool = False) -> None:
        """Play ``action`` for ``seat`` (by default whoever is to act).

        ``default`` marks it as the default move that stood in.  Raises ``IllegalAction``,
        and leaves the state untouched, for anything that ``legal_actions`` does not list
        (up to the order of burning).
        """

    def default_action(self, seat: int | None = None) -> AnyAction:
        """The move that stands in for a late or illegal one (RULINGS X5), chosen by the seed."""

    def prompt(self, seat: int) -> AnyPrompt:
        """What ``seat`` may do now beyond what every turn allows."""

    def observation(self, seat: int) -> AnyObservation:
        """All that ``seat`` may know now, and nothing else (RULINGS X7)."""

    def next_round(self) -> None:
        """Deal the next round; only in phase ``ROUND_OVER``."""

    def result(self) -> Result:
        """How the match came out; only in phase ``OVER``."""

    def copy(self) -> Self:
        """A match in the same position that goes its own way."""


class Game(Protocol):
    """A game: its name, its bounds, its options and its matches."""

    @property
    def id(self) -> str:
        """The short name used everywhere: ``claims``, ``claim`` or ``claro``."""

    @property
    def name(self) -> str:
        """The name as people write it."""

    @property
    def seats(self) -> range:
        """The numbers of players that it allows."""

    def options(self, given: Mapping[str, Any] | None = None) -> Options:
        """Make checked options; raises ``OptionError`` with what is allowed."""

    def new_match(self, *, seats: int, seed: bytes, options: Options | None = None) -> State:
        """Deal the first round.  Raises ``ValueError`` for a number of seats it doesn't allow."""
