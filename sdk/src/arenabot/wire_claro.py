"""Claro's half of the wire conversion; ``arenabot.wire`` is the way in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from arenabot.claro import (
    CLARO_CARDS,
    ClaroAction,
    ClaroCard,
    ClaroDeck,
    ClaroEvent,
    ClaroOptions,
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
from arenabot.claro.events import ClaroHand
from arenabot.v1 import claro_pb2 as claro
from arenabot.v1 import player_pb2 as player
from arenabot.wire_error import WireError, checked_seat

_REASON_OUT = {
    reason: claro.ClaroRoundReason.Value(f"CLARO_ROUND_REASON_{reason.name}")
    for reason in ClaroRoundReason
}
_REASON_IN: dict[int, ClaroRoundReason] = {number: reason for reason, number in _REASON_OUT.items()}
#: A card's stars of all three colours.
_ALL_STARS: Final = 0b111


# --- cards: on the wire a card is its place plus one


def _out(cards: Iterable[ClaroCard]) -> list[int]:
    return [card + 1 for card in cards]


def _in(numbers: Iterable[int]) -> ClaroHand:
    return tuple([_card(number) for number in numbers])


def _card(number: int) -> ClaroCard:
    if not 1 <= number <= len(CLARO_CARDS):
        raise WireError("a card with an unknown number")
    return CLARO_CARDS[number - 1]


# --- actions


def write_action(action: ClaroAction, response: player.PlayResponse) -> None:
    """Put an action into an answer."""
    if isinstance(action, Play):
        response.claro_play.card = action.card + 1
    else:
        response.claro_discard.cards.extend(_out(action.cards))
        response.claro_discard.SetInParent()


def read_play(message: claro.ClaroPlay) -> Play:
    """Read a card that is to be played."""
    return Play(_card(message.card))


def read_discard(message: claro.ClaroDiscard) -> Discard:
    """Read the cards that are to be discarded."""
    return Discard(_in(message.cards))


# --- options


def options(told: ClaroOptions) -> claro.ClaroOptions:
    """Write the options, with which stars every card shows."""
    deck = told.deck
    return claro.ClaroOptions(deck_name=deck.name, colours=deck.colours, stars=deck.stars)


def read_options(message: claro.ClaroOptions) -> ClaroOptions:
    """Read the options."""
    stars = tuple(message.stars)
    colours = tuple(message.colours)
    if len(stars) != len(CLARO_CARDS) or len(colours) != 3 or max(stars) > _ALL_STARS:
        raise WireError("a match with a deck that is none")
    return ClaroOptions(ClaroDeck(message.deck_name, colours, stars))


# --- events


def event(told: ClaroEvent, seat: int) -> player.Event:
    """Write an event as ``seat`` may see it."""
    seen = told.seen_by(seat)
    if isinstance(seen, Played):
        played = claro.ClaroPlayed(
            turn=seen.turn, seat=seen.seat, card=seen.card + 1, default_move=seen.default
        )
        return player.Event(claro_played=played)
    if isinstance(seen, Passed):
        return player.Event(claro_passed=claro.ClaroPassed(turn=seen.turn, seat=seen.seat))
    return _rarer_event(seen, seat)


def _rarer_event(seen: ClaroEvent, seat: int) -> player.Event:
    """Write an event that comes once or so a round."""
    if isinstance(seen, ClaroRoundStarted):
        started = claro.ClaroRoundStarted(
            round=seen.round,
            starter=seen.starter,
            hand=_out(seen.hands[seat] or ()),
            hand_sizes=seen.hand_sizes,
            draw_size=seen.draw_size,
        )
        return player.Event(claro_round_started=started)
    if isinstance(seen, ClaroRoundEnded):
        ended = claro.ClaroRoundEnded(
            round=seen.round,
            reason=_REASON_OUT[seen.reason],
            winner=seen.winner,
            stars=seen.stars,
        )
        return player.Event(claro_round_ended=ended)
    if isinstance(seen, Discarded):
        discarded = claro.ClaroDiscarded(
            seat=seen.seat, cards=_out(seen.cards), default_move=seen.default
        )
        return player.Event(claro_discarded=discarded)
    if isinstance(seen, Refilled):
        refilled = claro.ClaroRefilled(
            seat=seen.seat, drawn=seen.drawn, cards=_out(seen.cards or ())
        )
        return player.Event(claro_refilled=refilled)
    if isinstance(seen, ClaroReshuffle):
        reshuffle = claro.ClaroReshuffle(number=seen.number, draw_size=seen.draw_size)
        return player.Event(claro_reshuffle=reshuffle)
    raise TypeError(f"no message for an event of type {type(seen).__name__}")


def _read_round_started(
    message: claro.ClaroRoundStarted, seat: int, seats: int
) -> ClaroRoundStarted:
    hands: list[ClaroHand | None] = [None] * seats
    hands[seat] = _in(message.hand)
    if len(message.hand_sizes) != seats:
        raise WireError("a round that does not say how many cards each seat holds")
    return ClaroRoundStarted(
        message.round,
        checked_seat(message.starter, seats),
        tuple(hands),
        None,
        tuple(message.hand_sizes),
        message.draw_size,
    )


def _read_round_ended(message: claro.ClaroRoundEnded, _: int, seats: int) -> ClaroRoundEnded:
    reason = _REASON_IN.get(message.reason)
    if reason is None:
        raise WireError("a round that ended for an unknown reason")
    if len(message.stars) != seats:
        raise WireError("a round that ended without each seat's stars")
    winner = checked_seat(message.winner, seats)
    return ClaroRoundEnded(message.round, reason, winner, tuple(message.stars))


def _read_played(message: claro.ClaroPlayed, _: int, seats: int) -> Played:
    seat = checked_seat(message.seat, seats)
    return Played(message.turn, seat, _card(message.card), message.default_move)


def _read_passed(message: claro.ClaroPassed, _: int, seats: int) -> Passed:
    return Passed(message.turn, checked_seat(message.seat, seats))


def _read_discarded(message: claro.ClaroDiscarded, _: int, seats: int) -> Discarded:
    return Discarded(checked_seat(message.seat, seats), _in(message.cards), message.default_move)


def _read_refilled(message: claro.ClaroRefilled, seat: int, seats: int) -> Refilled:
    cards = _in(message.cards) if message.seat == seat else None
    return Refilled(checked_seat(message.seat, seats), cards, message.drawn)


def _read_reshuffle(message: claro.ClaroReshuffle, _: int, __: int) -> ClaroReshuffle:
    return ClaroReshuffle(message.number, None, message.draw_size)


#: How each kind of event is read, by its name in the message; with the reader's seat and seats.
READERS: Final[dict[str, Callable[[Any, int, int], ClaroEvent]]] = {
    "claro_played": _read_played,
    "claro_passed": _read_passed,
    "claro_round_started": _read_round_started,
    "claro_round_ended": _read_round_ended,
    "claro_discarded": _read_discarded,
    "claro_refilled": _read_refilled,
    "claro_reshuffle": _read_reshuffle,
}
