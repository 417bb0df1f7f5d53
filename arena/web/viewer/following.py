"""Follows a match line by line: where every card lies, as far as the lines say.

The lines may be a replay's, which say everything, or those of a match in play as somebody at the
table hears them (`arena.match.spectating`). Nothing here doubts them: `arena.match.verify` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from arena.match.replay import Line
from arena.web.viewer.position import Held, Position
from arenabot.cards import Card, points
from arenabot.claro import ClaroCard

T = TypeVar("T")

#: A claim in Claims needs a hand that costs this much or less (Claims 6).
_CLAIM_LIMIT = 10
#: The stars that win a match of Claro (Claro 7).
_STARS = 3


class Follower:
    """What Claims, Claim! and Claro share."""

    def __init__(self, header: Line) -> None:
        """Sit down at the table that the header describes."""
        self.seats = len(header["seats"])
        self.game: str = header["game"]
        self.options: Line = header["options"]
        nothing = (0,) * self.seats
        self.now = Position(
            hands=((),) * self.seats,
            costs=(None,) * self.seats,
            totals=nothing,
            defaults=nothing,
            passed=(False,) * self.seats,
        )

    def follow(self, line: Line) -> Position:
        """Take the next line in; return the position after it."""
        if line.get("default"):
            defaults = _at(self.now.defaults, line["seat"], self.now.defaults[line["seat"]] + 1)
            self.now = replace(self.now, defaults=defaults)
        see = getattr(self, f"_see_{line['type']}", None)
        if see is not None:
            self.now = see(line)
        return self.now

    def _left(self, seat: int) -> int:
        return (seat + 1) % self.seats

    def _dealt(self, line: Line) -> tuple[tuple[Held, ...], ...]:
        """The hands of a round's first line, which a spectator knows only by their sizes."""
        known = line.get("hands") or [None] * self.seats
        sizes = line.get("hand_sizes") or [len(hand) for hand in known]
        return tuple(
            self._sorted([Held(None)] * size if hand is None else map(Held, hand))
            for hand, size in zip(known, sizes, strict=True)
        )

    def _without(self, hand: Sequence[Held], gone: Iterable[str]) -> list[Held]:
        """A hand without these cards; what isn't known in it may have been any of them."""
        left = list(hand)
        for card in gone:
            at = next((held for held in left if held.card == card), Held(None))
            left.remove(at)
        return left

    def _sorted(self, hand: Iterable[Held]) -> tuple[Held, ...]:
        return tuple(sorted(hand, key=self._place))

    @staticmethod
    def _place(held: Held) -> tuple[int, ...]:
        raise NotImplementedError


class BurnFollower(Follower):
    """Claims and Claim!."""

    def _see_round(self, line: Line) -> Position:
        now = replace(
            self.now,
            round=line["round"],
            turn=1,
            lap=1,
            to_act=(line["starter"],),
            deck=_size(line),
            pile=(),
            zero=line["zero"],
        )
        return self._opened(self._set_hands(now, self._dealt(line)))

    def _see_turn(self, line: Line) -> Position:
        now, seat, action = self.now, line["seat"], line["action"]
        if "claim" in action:
            return replace(now, turn=0, to_act=(), claim_open=False)
        burned, blind = tuple(action["burn"]), action["draw"] == "deck"
        # The previous burn's top is taken before this turn's burn goes on the pile.
        under = now.pile if blind else now.pile[:-1]
        hand = self._without(now.hands[seat], burned)
        hand.append(Held(line["drawn"], seen=not blind))
        after = replace(
            now,
            turn=now.turn + 1,
            lap=now.turn // self.seats + 1,
            to_act=(self._left(seat),),
            deck=now.deck - blind,
            pile=under + burned,
        )
        return self._opened(self._set_hands(after, _at(now.hands, seat, self._sorted(hand))))

    def _see_reshuffle(self, line: Line) -> Position:
        pile = self.now.pile[-1:] if self.game == "claims" else ()
        return replace(self.now, deck=_size(line), pile=pile)

    def _see_round_end(self, line: Line) -> Position:
        hands = tuple(
            self._sorted(Held(card, seen=True) for card in hand) for hand in line["hands"]
        )
        totals = tuple(line["totals"])
        over = replace(self.now, turn=0, to_act=(), claim_open=False, totals=totals)
        return self._set_hands(over, hands)

    def _set_hands(self, now: Position, hands: tuple[tuple[Held, ...], ...]) -> Position:
        costs = tuple(self._cost(hand, now.zero) for hand in hands)
        return replace(now, hands=hands, costs=costs)

    @staticmethod
    def _cost(hand: Sequence[Held], zero: str | None) -> int | None:
        cards = [Card(held.card) for held in hand if held.card is not None]
        return None if zero is None or len(cards) < len(hand) else points(cards, Card(zero))

    def _opened(self, now: Position) -> Position:
        """Say whether the seat to act may claim (Claims 6, Claim! 4)."""
        turns, cost = now.turn - 1, now.costs[now.to_act[0]]
        if self.game == "claim":
            return replace(now, claim_open=turns >= self.options["claim_laps"] * self.seats)
        if turns < self.seats:
            return replace(now, claim_open=False)
        return replace(now, claim_open=None if cost is None else cost <= _CLAIM_LIMIT)

    @staticmethod
    def _place(held: Held) -> tuple[int, ...]:
        if held.card is None:
            return (99,)
        card = Card(held.card)
        return (card.rank, card.suit)


class ClaroFollower(Follower):
    """Claro."""

    def __init__(self, header: Line) -> None:
        super().__init__(header)
        #: Cards that a seat has already drawn from a draw pile that ran out while it refilled.
        self._ahead = 0

    def _see_round(self, line: Line) -> Position:
        dealt = self._dealt(line)
        if "hands" not in line and any(self.now.hands):
            # Hands go on into the next round: what is known of them still is.
            dealt = self.now.hands
        return replace(
            self.now,
            round=line["round"],
            turn=1,
            lap=1,
            to_act=(line["starter"],),
            hands=dealt,
            deck=_size(line),
            pile=(),
            passed=(False,) * self.seats,
        )

    def _see_play(self, line: Line) -> Position:
        now, seat = self.now, line["seat"]
        hand = tuple(self._without(now.hands[seat], [line["card"]]))
        pile = (*now.pile, line["card"])
        return self._passed_on(seat, replace(now, hands=_at(now.hands, seat, hand), pile=pile))

    def _see_pass(self, line: Line) -> Position:
        passed = _at(self.now.passed, line["seat"], True)
        return self._passed_on(line["seat"], replace(self.now, passed=passed))

    def _passed_on(self, seat: int, now: Position) -> Position:
        """Find who is next: the first that has not passed and holds a card (Claro 4)."""
        order = [(seat + step) % self.seats for step in range(1, self.seats + 1)]
        still = [other for other in order if not now.passed[other] and now.hands[other]]
        return replace(
            now, turn=now.turn + 1, lap=now.turn // self.seats + 1, to_act=tuple(still[:1])
        )

    def _see_round_end(self, line: Line) -> Position:
        """Let the others choose discards, if the match goes on (Claro 5 to 7)."""
        now, winner = self.now, line["winner"]
        choosing = (seat for seat in range(self.seats) if seat != winner and self.now.hands[seat])
        over = line["stars"][winner] == _STARS
        return replace(
            now,
            turn=0,
            to_act=() if over else tuple(choosing),
            totals=tuple(line["stars"]),
            pile=(),
            discarded=now.discarded + len(now.pile),
        )

    def _see_discard(self, line: Line) -> Position:
        now, seat, away = self.now, line["seat"], line["cards"]
        hand = tuple(self._without(now.hands[seat], away))
        still = tuple(other for other in now.to_act if other != seat)
        gone = now.discarded + len(away)
        return replace(now, hands=_at(now.hands, seat, hand), to_act=still, discarded=gone)

    def _see_reshuffle(self, line: Line) -> Position:
        self._ahead += self.now.deck
        return replace(self.now, deck=_size(line), discarded=0)

    def _see_refill(self, line: Line) -> Position:
        seat = line["seat"]
        count = line.get("drawn", len(line.get("cards", ())))
        drawn = map(Held, line["cards"]) if "cards" in line else [Held(None)] * count
        hand = self._sorted([*self.now.hands[seat], *drawn])
        left = self.now.deck - (count - self._ahead)
        self._ahead = 0
        return replace(self.now, hands=_at(self.now.hands, seat, hand), deck=left)

    @staticmethod
    def _place(held: Held) -> tuple[int, ...]:
        return (99,) if held.card is None else (int(ClaroCard(held.card)),)


def follower(header: Line) -> Follower:
    """Whoever follows the header's game."""
    return ClaroFollower(header) if header["game"] == "claro" else BurnFollower(header)


def _size(line: Line) -> int:
    """How many cards a new deck holds, of which a spectator knows nothing else."""
    return int(line["deck_size"]) if "deck_size" in line else len(line["deck"])


def _at(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The same values but for one."""
    return (*values[:place], value, *values[place + 1 :])
