"""Claro (RULINGS, Claro 1 to 7): playing, forced passes, stars, discards and refills."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from arena.games.api import IllegalAction, Phase
from arena.games.burn import ranks_of
from arena.games.chance import Chance
from arenabot.anygame import AnyAction
from arenabot.claro import (
    CLARO_CARDS,
    ClaroAction,
    ClaroCard,
    ClaroEvent,
    ClaroObservation,
    ClaroOptions,
    ClaroPrompt,
    ClaroReshuffle,
    ClaroRoundEnded,
    ClaroRoundReason,
    ClaroRoundStarted,
    Discard,
    Discarded,
    Passed,
    Play,
    Played,
    Refilled,
)
from arenabot.claro.actions import discards, plays
from arenabot.claro.cards import bits_of, cards_of
from arenabot.claro.events import ClaroHand
from arenabot.events import MatchReason, Result
from arenabot.options import Options

#: Cards in a full hand (Claro 2).
HAND = 5
#: Stars that win the match (Claro 7).
STARS = 3
#: The round number in the keys of all chance but defaults: Claro deals once a match (X6).
_MATCH = 0
_ALL_FIT = (1 << len(CLARO_CARDS)) - 1
# Looked up once: before Python 3.12 a member of an enum costs a call each time it is named.
_PLAYING = Phase.PLAYING


class ClaroState:
    """A match of Claro in progress; see ``arena.games.api.State``."""

    game = "claro"

    def __init__(self, options: ClaroOptions, seats: int, seed: bytes) -> None:
        """Deal the match (Claro 2)."""
        self.options = options
        self.seats = seats
        self.seed = seed
        self.phase = Phase.ROUND_OVER
        self.round = 0
        self._fitting = options.deck.fitting
        self._stars = [0] * seats
        self._reshuffles = 0
        self._discard_pile: list[ClaroCard] = []
        #: Who won the last round and leads the next; seat 0 starts (X2).
        self._winner = 0
        shuffled = Chance(seed, self.game, _MATCH, "deal", 0).shuffled(CLARO_CARDS)
        dealt = seats * HAND
        hands = tuple(tuple(shuffled[seat:dealt:seats]) for seat in range(seats))
        self._set_up(hands, tuple(shuffled[dealt:]))

    def _set_up(self, hands: tuple[ClaroHand, ...], draw_pile: ClaroHand) -> None:
        """Begin a round with these hands; the draw pile's top comes first."""
        self._hands = [bits_of(hand) for hand in hands]
        self._draw_pile = list(reversed(draw_pile))
        self.round += 1
        self.phase = Phase.PLAYING
        self.starter = self._seat = self._winner
        self._turns = 0
        self._played: list[ClaroCard] = []
        self._passed = [False] * self.seats
        #: The discards chosen so far, by seat, and the seats that are still to choose.
        self._chosen: dict[int, tuple[Discard, bool]] = {}
        self._choosing: tuple[int, ...] = ()
        sizes = tuple(len(hand) for hand in hands)
        self.events: list[ClaroEvent] = [
            ClaroRoundStarted(
                self.round, self.starter, hands, draw_pile, sizes, len(self._draw_pile)
            )
        ]

    # --- asking

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seat whose turn it is, or all that are still to choose their discards."""
        if self.phase is not _PLAYING:
            return ()
        return self._choosing or (self._seat,)

    @property
    def turn(self) -> int:
        """The number of the turn that is due, from 1 in each round; passes count.

        0 while none is due: between rounds, also while discards are being chosen.
        """
        due = self.phase is _PLAYING and not self._choosing
        return self._turns + 1 if due else 0

    @property
    def totals(self) -> tuple[int, ...]:
        """Each seat's stars so far."""
        return tuple(self._stars)

    @property
    def discarding(self) -> bool:
        """Whether discards are being chosen, rather than cards played."""
        return bool(self._choosing)

    def hand(self, seat: int) -> ClaroHand:
        """The cards that ``seat`` holds, in card order."""
        return cards_of(self._hands[seat])

    def places(self) -> dict[str, ClaroHand]:
        """Where each card lies: draw pile, discard pile, the cards played, each seat's hand."""
        return {
            "draw pile": tuple(reversed(self._draw_pile)),
            "discard pile": tuple(self._discard_pile),
            "played": tuple(self._played),
            **{f"hand {seat}": self.hand(seat) for seat in range(self.seats)},
        }

    def legal_actions(self, seat: int | None = None) -> list[ClaroAction]:
        """Every fitting card, or every set of discards (X12)."""
        seat = self._acting(seat)
        if self._choosing:
            return discards(self._hands[seat])
        return plays(self._playable(seat))

    def default_action(self, seat: int | None = None) -> ClaroAction:
        """A uniformly random fitting card; no discard (X5)."""
        seat = self._acting(seat)
        if self._choosing:
            return Discard()
        fitting = cards_of(self._playable(seat))
        chance = Chance(self.seed, self.game, self.round, "default", self.turn)
        return Play(fitting[chance.below(len(fitting))])

    def prompt(self, seat: int) -> ClaroPrompt:
        """Say whether a card or discards are asked for."""
        self._acting(seat)
        return ClaroPrompt(bool(self._choosing))

    def observation(self, seat: int) -> ClaroObservation:
        """All that ``seat`` may know now (RULINGS X7)."""
        prompt = self.prompt(seat)
        return ClaroObservation(
            options=self.options,
            seat=seat,
            seats=self.seats,
            round=self.round,
            turn=self.turn,
            starter=self.starter,
            discarding=prompt.discarding,
            hand=self.hand(seat),
            played=tuple(self._played),
            discard_pile=tuple(self._discard_pile),
            draw_size=len(self._draw_pile),
            hand_sizes=tuple(hand.bit_count() for hand in self._hands),
            passed=tuple(self._passed),
            stars=tuple(self._stars),
            history=tuple(event.seen_by(seat) for event in self.events),
        )

    def result(self) -> Result:
        """How the match came out: the winner first, then by stars (Claro 7)."""
        if self.phase is not Phase.OVER:
            raise ValueError("the match is not over")
        ranks = ranks_of([(-stars,) for stars in self._stars])
        return Result(MatchReason.STARS, tuple(self._stars), ranks)

    def copy(self) -> Self:
        """A match in the same position that goes its own way."""
        # What copy.copy does, without its detour through pickling.
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._hands = self._hands.copy()
        twin._stars = self._stars.copy()
        twin._discard_pile = self._discard_pile.copy()
        twin._draw_pile = self._draw_pile.copy()
        twin._played = self._played.copy()
        twin._passed = self._passed.copy()
        twin._chosen = self._chosen.copy()
        twin.events = self.events.copy()
        return twin

    # --- playing

    def apply(self, action: AnyAction, seat: int | None = None, *, default: bool = False) -> None:
        """Play a card or choose discards; ``IllegalAction`` changes nothing."""
        seat = self._acting(seat)
        if self._choosing:
            self._choose(seat, action, default)
        else:
            self._play(seat, action, default)

    def next_round(self) -> None:
        """Let the winner of the last round lead the next one (Claro 6)."""
        if self.phase is not Phase.ROUND_OVER:
            raise ValueError(f"no round can begin: the match is {self.phase.value}")
        hands = tuple(map(cards_of, self._hands))
        self._set_up(hands, tuple(reversed(self._draw_pile)))

    def _play(self, seat: int, action: AnyAction, default: bool) -> None:
        if not isinstance(action, Play):
            raise IllegalAction(f"a card must be played now, not: {action}")
        card = action.card
        if not card.bit & self._hands[seat]:
            raise IllegalAction(f"{card} is not in this hand")
        if not card.bit & self._playable(seat):
            raise IllegalAction(f"{card} does not fit on {self._played[-1]}")
        self._hands[seat] ^= card.bit
        self._played.append(card)
        self._winner = seat
        self._turns += 1
        self.events.append(Played(self._turns, seat, card, default))
        self._pass_on(seat)

    def _pass_on(self, seat: int) -> None:
        """Find the next seat that must play, passing for those that cannot (Claro 4, 5)."""
        for step in range(1, self.seats + 1):
            other = (seat + step) % self.seats
            if self._passed[other] or not self._hands[other]:
                continue
            if self._playable(other):
                self._seat = other
                return
            self._turns += 1
            self._passed[other] = True
            self.events.append(Passed(self._turns, other))
            if self._passed.count(False) == 1:
                self._end_round(ClaroRoundReason.PASSED)
                return
        # Whoever has not passed holds no card.
        self._end_round(ClaroRoundReason.PLAYED_OUT)

    def _end_round(self, reason: ClaroRoundReason) -> None:
        """Give the star; then the winner refills and the others choose (Claro 5 to 7)."""
        winner = self._winner
        self._stars[winner] += 1
        self._discard_pile += self._played
        self._played = []
        self.events.append(ClaroRoundEnded(self.round, reason, winner, tuple(self._stars)))
        if self._stars[winner] == STARS:
            self.phase = Phase.OVER
            return
        self._refill(winner)
        self._choosing = tuple(
            seat for seat in range(self.seats) if seat != winner and self._hands[seat]
        )
        if not self._choosing:
            self._refill_others()

    def _choose(self, seat: int, action: AnyAction, default: bool) -> None:
        if not isinstance(action, Discard):
            raise IllegalAction(f"discards must be chosen now, not: {action}")
        if action.mask < 0 or action.mask & ~self._hands[seat]:
            raise IllegalAction(f"not a set of cards of this hand: {action}")
        self._chosen[seat] = (action, default)
        self._choosing = tuple(other for other in self._choosing if other != seat)
        if not self._choosing:
            self._refill_others()

    def _refill_others(self) -> None:
        """Show the discards, all at once; then refill from the winner's left (Claro 6)."""
        for seat, (action, default) in sorted(self._chosen.items()):
            self._hands[seat] ^= action.mask
            self._discard_pile += action.cards
            self.events.append(Discarded(seat, action.cards, default))
        for step in range(1, self.seats):
            self._refill((self._winner + step) % self.seats)
        self.phase = Phase.ROUND_OVER

    def _refill(self, seat: int) -> None:
        """Draw up to a full hand, through a reshuffle if need be."""
        drawn = []
        for _ in range(HAND - self._hands[seat].bit_count()):
            if not self._draw_pile:
                self._reshuffle()
            drawn.append(self._draw_pile.pop())
        if drawn:
            self._hands[seat] |= bits_of(drawn)
            self.events.append(Refilled(seat, tuple(drawn), len(drawn)))

    def _reshuffle(self) -> None:
        self._reshuffles += 1
        chance = Chance(self.seed, self.game, _MATCH, "reshuffle", self._reshuffles)
        shuffled = chance.shuffled(sorted(self._discard_pile))
        self._discard_pile = []
        self._draw_pile = shuffled[::-1]
        self.events.append(ClaroReshuffle(self._reshuffles, tuple(shuffled), len(shuffled)))

    def _playable(self, seat: int) -> int:
        """The bits of the cards that ``seat`` may play: any to lead (Claro 2), else what fits."""
        fitting = self._fitting[self._played[-1]] if self._played else _ALL_FIT
        return self._hands[seat] & fitting

    def _acting(self, seat: int | None) -> int:
        """Check that ``seat``, by default the first that is to act, is asked now."""
        acting = self.to_act
        if not acting:
            raise IllegalAction(f"nobody is to act: the match is {self.phase.value}")
        if seat is None:
            return acting[0]
        if seat not in acting:
            raise IllegalAction(f"seat {seat} is not to act now, but {acting}")
        return seat


class Claro:
    """The game of Claro; see ``arena.games.api.Game``."""

    id = "claro"
    name = "Claro"
    seats = range(3, 7)

    def options(self, given: Mapping[str, Any] | None = None) -> ClaroOptions:
        """Make checked options; raises ``OptionError`` with what is allowed."""
        return ClaroOptions.of(given or {})

    def new_match(self, *, seats: int, seed: bytes, options: Options | None = None) -> ClaroState:
        """Deal a match.  Raises ``ValueError`` for a number of seats it doesn't allow."""
        options = options or self.options()
        if not isinstance(options, ClaroOptions):
            raise TypeError(f"Claro is played with ClaroOptions, not {type(options).__name__}")
        if seats not in self.seats:
            raise ValueError(f"{self.name} is played by 3 to 6 players, not {seats}")
        return ClaroState(options, seats, seed)


CLARO = Claro()
