"""What Claims and Claim! share: the deal, burning and drawing, caps, and how a round is told.

The rules in which they differ are the methods at the end of ``BurnState``; each game's own file
fills them in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, Self, TypeVar

from arena.games.api import IllegalAction, Phase
from arena.games.chance import Chance
from arena.games.hands import POINTS_BY_ZERO, burns_of, cards_of, weighed
from arenabot.actions import CLAIM, Action, Burn, Claim, Draw
from arenabot.anygame import AnyAction
from arenabot.cards import DECK, Card
from arenabot.events import (
    Event,
    Hand,
    MatchReason,
    Reshuffle,
    Result,
    RoundEnded,
    RoundReason,
    RoundStarted,
    Turn,
)
from arenabot.observation import Observation, Prompt
from arenabot.options import BurnOptions, Options

OptionsT = TypeVar("OptionsT", bound=BurnOptions)

# Looked up once: before Python 3.12 a member of an enum costs a call each time it is named.
_PLAYING, _DECK = Phase.PLAYING, Draw.DECK
# ``Turn(*fields)`` without the function that a NamedTuple puts in front, for there is one a move.
_turn: Callable[[tuple[int, Action, Card | None, bool]], Turn] = partial(tuple.__new__, Turn)


def _why_no_set(named: Hand, hand: int) -> str:
    """Say what keeps ``named`` from being burned out of ``hand`` (X12)."""
    if not named:
        return "a burn names at least one card"
    if len(set(named)) < len(named):
        return "a card is named twice"
    absent = [str(card) for card in named if not card.bit & hand]
    if absent:
        return f"not in this hand: {' '.join(absent)}"
    return "cards of different ranks never go together"


def ranks_of(keys: list[tuple[int, ...]]) -> tuple[int, ...]:
    """Rank seats by their keys, the lowest first; equal keys share, the next skips (X11)."""
    ordered = sorted(keys)
    return tuple(ordered.index(key) + 1 for key in keys)


class BurnState(Generic[OptionsT]):
    """A match of Claims or Claim! in progress; see ``arena.games.api.State``."""

    #: The game's id, as in RULINGS X6.
    game: ClassVar[str]
    #: How many cards each seat is dealt.
    dealt: ClassVar[int]
    #: When a claim is open, in words.
    claim_opens: ClassVar[str]

    def __init__(self, options: OptionsT, seats: int, seed: bytes) -> None:
        """Deal the first round."""
        self.options = options
        self.seats = seats
        self.seed = seed
        self.round = 0
        self.phase = Phase.ROUND_OVER
        self._totals = [0] * seats
        #: By seat, the claims of this match that held.
        self._good_claims = [0] * seats
        self._max_turns = options.max_laps * seats
        self._max_stall = options.stall_laps * seats
        self._reason: MatchReason | None = None
        self.next_round()

    # --- asking

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seat whose turn it is."""
        return (self.seat,) if self.phase is _PLAYING else ()

    @property
    def turn(self) -> int:
        """The number of the turn that is due, from 1 in each round; 0 while none is."""
        return self._turns + 1 if self.phase is _PLAYING else 0

    @property
    def totals(self) -> tuple[int, ...]:
        """Each seat's points so far."""
        return tuple(self._totals)

    @property
    def takeable(self) -> Card | None:
        """The pile card that the seat to act may draw (Claims 4)."""
        return self._takeable

    def hand(self, seat: int) -> Hand:
        """The cards that ``seat`` holds, in card order."""
        return cards_of(self._hands[seat])

    def hand_points(self, seat: int) -> int:
        """What the hand of ``seat`` costs now."""
        return self._costs[seat]

    def places(self) -> dict[str, Hand]:
        """Where each card lies: the zero card, the deck, the pile, and each seat's hand."""
        return {
            "zero": (self.zero,),
            "deck": tuple(reversed(self._deck)),
            "pile": tuple(self._pile),
            **{f"hand {seat}": self.hand(seat) for seat in range(self.seats)},
        }

    def legal_actions(self, seat: int | None = None) -> list[Action]:
        """Every burn of the seat's hand, and a claim, last, where it is open (X12)."""
        if seat is None:
            seat = self.seat
        if self.phase is not _PLAYING or seat != self.seat:
            raise self._not_asked(seat)
        actions = burns_of(self._hands[seat], from_pile=self._takeable is not None)
        if self._may_claim(seat):
            actions.append(CLAIM)
        return actions

    def default_action(self, seat: int | None = None) -> Burn:
        """One card, uniform over the hand in card order, and a draw from the deck (X5)."""
        if seat is None:
            seat = self.seat
        self._check_turn(seat)
        hand = self.hand(seat)
        chance = Chance(self.seed, self.game, self.round, "default", self.turn)
        return Burn((hand[chance.below(len(hand))],), Draw.DECK)

    def prompt(self, seat: int) -> Prompt:
        """Say which pile card may be drawn and whether a claim is open."""
        self._check_turn(seat)
        return Prompt(self._takeable, self._may_claim(seat))

    def observation(self, seat: int) -> Observation[OptionsT]:
        """All that ``seat`` may know at its turn (RULINGS X7)."""
        takeable, can_claim = self.prompt(seat)
        return Observation(
            options=self.options,
            seat=seat,
            seats=self.seats,
            round=self.round,
            turn=self.turn,
            starter=self.starter,
            zero=self.zero,
            hand=self.hand(seat),
            takeable=takeable,
            can_claim=can_claim,
            deck_size=len(self._deck),
            hand_sizes=tuple(hand.bit_count() for hand in self._hands),
            totals=self.totals,
            reshuffles=self._reshuffles,
            history=tuple(
                event.seen_by(seat) for event in self.events if isinstance(event, Turn | Reshuffle)
            ),
        )

    def result(self) -> Result:
        """How the match came out."""
        if self._reason is None:
            raise ValueError("the match is not over")
        return Result(self._reason, self.totals, self._ranks())

    def copy(self) -> Self:
        """A match in the same position that goes its own way."""
        # What copy.copy does, without its detour through pickling.
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._totals = self._totals.copy()
        twin._good_claims = self._good_claims.copy()
        twin._hands = self._hands.copy()
        twin._costs = self._costs.copy()
        twin._deck = self._deck.copy()
        twin._pile = self._pile.copy()
        twin.events = self.events.copy()
        return twin

    # --- playing

    def next_round(self) -> None:
        """Deal the next round from the full 52 cards (Claims 1, X6)."""
        if self.phase is not Phase.ROUND_OVER:
            raise ValueError(f"no round can be dealt: the match is {self.phase.value}")
        self.round += 1
        self.phase = Phase.PLAYING
        self.starter = self.seat = (self.round - 1) % self.seats
        shuffled = Chance(self.seed, self.game, self.round, "deal", 0).shuffled(DECK)
        dealt = self.seats * self.dealt
        hands = tuple(
            tuple(shuffled[(seat - self.starter) % self.seats : dealt : self.seats])
            for seat in range(self.seats)
        )
        self._set_up(hands, zero=shuffled[dealt], deck=tuple(shuffled[dealt + 1 :]))

    def _set_up(self, hands: tuple[Hand, ...], zero: Card, deck: Hand) -> None:
        """Begin the round with these cards; the deck's top comes first."""
        self.zero = zero
        self._points = POINTS_BY_ZERO[zero.rank]
        weights = [weighed(hand, self._points) for hand in hands]
        self._hands = [bits for bits, _ in weights]
        self._costs = [cost for _, cost in weights]
        self._deck = list(reversed(deck))
        self._pile: list[Card] = []
        self._takeable: Card | None = None
        self._turns = self._stalled = self._reshuffles = 0
        self.events: list[Event] = [
            RoundStarted(self.round, self.starter, zero, hands, deck, len(deck))
        ]

    def apply(self, action: AnyAction, seat: int | None = None, *, default: bool = False) -> None:
        """Play ``action`` for the seat whose turn it is; ``IllegalAction`` changes nothing."""
        if seat is None:
            seat = self.seat
        if self.phase is not _PLAYING or seat != self.seat:
            raise self._not_asked(seat)
        if type(action) is Burn:
            self._burn(seat, action, default)
        elif type(action) is Claim:
            if not self._may_claim(seat):
                raise IllegalAction(f"no claim is open here: it is {self.claim_opens}")
            self.events.append(_turn((seat, action, None, default)))
            self._claimed(seat)
        else:
            raise IllegalAction(f"not an action of this game: {action!r}")

    def _burn(self, seat: int, action: Burn, default: bool) -> None:
        mask = action.mask
        held = self._hands[seat]
        if not mask or held & mask != mask:
            raise IllegalAction(f"{_why_no_set(action.cards, held)}: {action}")
        if action.draw is _DECK:
            drawn = self._deck.pop()
            self._stalled = 0
        else:
            if self._takeable is None:
                raise IllegalAction("no pile card may be drawn now")
            # The previous burn's top is still the pile's top: this turn's burn goes above it.
            drawn = self._pile.pop()
            self._stalled += 1
        cards = action.cards
        self._hands[seat] = held ^ mask | drawn.bit
        costs = self._points
        self._costs[seat] += costs[drawn.rank] - len(cards) * costs[cards[0].rank]
        self._pile += cards
        self._takeable = cards[-1]
        self._turns += 1
        self.events.append(_turn((seat, action, drawn, default)))
        self.seat = seat + 1 if seat + 1 < self.seats else 0
        if not self._deck or self._turns == self._max_turns or self._stalled == self._max_stall:
            self._end_turn()

    def _end_turn(self) -> None:
        """Do what a turn's end brings, in the order of RULINGS X10."""
        if not self._deck and self._last_run_out():
            self._end_round(RoundReason.DECK)
        elif self._turns == self._max_turns:
            self._end_round(RoundReason.MAX_LAPS)
        elif self._stalled == self._max_stall:
            self._end_round(RoundReason.STALL_LAPS)
        elif not self._deck:
            self._reshuffle()

    def _reshuffle(self) -> None:
        """Shuffle what goes back into a new deck, from card order (X6)."""
        self._reshuffles += 1
        back = self._clear_pile()
        chance = Chance(self.seed, self.game, self.round, "reshuffle", self._reshuffles)
        shuffled = chance.shuffled(sorted(back))
        self._deck = shuffled[::-1]
        self.events.append(Reshuffle(self._reshuffles, tuple(shuffled), len(shuffled)))

    def _claimed(self, claimer: int) -> None:
        cost = self._costs[claimer]
        at_or_below = sum(
            1 for seat, other in enumerate(self._costs) if seat != claimer and other <= cost
        )
        points = self._costs.copy()
        points[claimer] = self._claim_points(at_or_below)
        self._good_claims[claimer] += not at_or_below
        self._score(RoundReason.CLAIM, points, claimer, success=not at_or_below)

    def _end_round(self, reason: RoundReason) -> None:
        self._score(reason, self._unclaimed_points())

    def _score(
        self,
        reason: RoundReason,
        points: list[int],
        claimer: int | None = None,
        *,
        success: bool = False,
    ) -> None:
        self._totals = [
            self._after_adding(total + added)
            for total, added in zip(self._totals, points, strict=True)
        ]
        hands = tuple(map(cards_of, self._hands))
        self.events.append(
            RoundEnded(
                self.round, reason, claimer, success, hands, tuple(points), tuple(self._totals)
            )
        )
        if self._target_met():
            self._reason = MatchReason.TARGET
        elif self.round >= self.options.max_rounds:
            self._reason = MatchReason.MAX_ROUNDS
        self.phase = Phase.OVER if self._reason else Phase.ROUND_OVER

    def _check_turn(self, seat: int) -> None:
        if self.phase is not _PLAYING or seat != self.seat:
            raise self._not_asked(seat)

    def _not_asked(self, seat: int) -> IllegalAction:
        if self.phase is not _PLAYING:
            return IllegalAction(f"nobody is to act: the match is {self.phase.value}")
        return IllegalAction(f"it is the turn of seat {self.seat}, not of seat {seat}")

    # --- where the games differ

    def _may_claim(self, seat: int) -> bool:
        """Whether ``seat``, whose turn it is, may claim."""
        raise NotImplementedError

    def _claim_points(self, at_or_below: int) -> int:
        """What a claimer adds with so many others at or below its hand."""
        raise NotImplementedError

    def _unclaimed_points(self) -> list[int]:
        """What each seat adds when the round ends without a claim."""
        raise NotImplementedError

    def _last_run_out(self) -> bool:
        """Whether the deck, just empty, ends the round instead of being shuffled anew."""
        raise NotImplementedError

    def _clear_pile(self) -> list[Card]:
        """Take off the pile what goes into the new deck, and see to what may still be taken."""
        raise NotImplementedError

    def _after_adding(self, total: int) -> int:
        """What a total becomes once points were added."""
        raise NotImplementedError

    def _target_met(self) -> bool:
        """Whether the totals end the match."""
        raise NotImplementedError

    def _ranks(self) -> tuple[int, ...]:
        """Every seat's rank at the end of the match (X11)."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class BurnGame(Generic[OptionsT]):
    """One of the two games, as ``arena.games.api.Game`` wants it."""

    id: str
    name: str
    seats: range
    options_type: type[OptionsT]
    state_type: type[BurnState[OptionsT]]

    def options(self, given: Mapping[str, Any] | None = None) -> OptionsT:
        """Make checked options; raises ``OptionError`` with what is allowed."""
        return self.options_type.of(given or {})

    def new_match(
        self, *, seats: int, seed: bytes, options: Options | None = None
    ) -> BurnState[OptionsT]:
        """Deal the first round.  Raises ``ValueError`` for a number of seats it doesn't allow."""
        options = options or self.options()
        if not isinstance(options, self.options_type):
            wanted, given = self.options_type.__name__, type(options).__name__
            raise TypeError(f"{self.name} is played with {wanted}, not {given}")
        if seats not in self.seats:
            few, many = self.seats[0], self.seats[-1]
            raise ValueError(f"{self.name} is played by {few} to {many} players, not {seats}")
        return self.state_type(options, seats, seed)
