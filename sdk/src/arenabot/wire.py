"""The one place that turns the vocabulary into protocol messages and back, for both sides.

Every ``read_*`` raises ``WireError`` for what the protocol does not allow, and nothing else.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final, TypeAlias

from arenabot import wire_claro
from arenabot.actions import CLAIM, Burn, Claim, Draw
from arenabot.anygame import AnyAction, AnyEvent, AnyPrompt
from arenabot.bots import MatchInfo
from arenabot.cards import DECK, Card
from arenabot.claro import ClaroOptions, ClaroPrompt
from arenabot.events import (
    Hand,
    MatchReason,
    Reshuffle,
    Result,
    RoundEnded,
    RoundReason,
    RoundStarted,
    Turn,
)
from arenabot.observation import Prompt
from arenabot.options import ClaimOptions, ClaimsOptions, Options
from arenabot.v1 import burn_pb2 as burn
from arenabot.v1 import player_pb2 as player
from arenabot.wire_error import WireError as WireError  # noqa: PLC0414 - part of this module's face
from arenabot.wire_error import checked_seat


class Ready(enum.Enum):
    """A bot's answer to a ready check."""

    READY = "ready"


READY: Final = Ready.READY
#: What a bot answers.
Answered: TypeAlias = AnyAction | Ready

_DRAW_OUT = {Draw.DECK: burn.DRAW_DECK, Draw.PILE: burn.DRAW_PILE}
_DRAW_IN: dict[int, Draw] = {number: draw for draw, number in _DRAW_OUT.items()}
_ROUND_OUT = {
    reason: burn.RoundReason.Value(f"ROUND_REASON_{reason.name}") for reason in RoundReason
}
_ROUND_IN: dict[int, RoundReason] = {number: reason for reason, number in _ROUND_OUT.items()}
_MATCH_OUT = {
    reason: player.MatchReason.Value(f"MATCH_REASON_{reason.name}") for reason in MatchReason
}
_MATCH_IN: dict[int, MatchReason] = {number: reason for reason, number in _MATCH_OUT.items()}

# A card's number on the wire is its place in canonical order plus one.  The enum's Python type is
# an int with no run-time class, so the numbers are listed once instead of cast at each use.
_CARD_OUT: Final = tuple(burn.Card.ValueType(card + 1) for card in DECK)
_CARD_IN: Final[dict[int, Card]] = {card + 1: card for card in DECK}


def milliseconds(seconds: float) -> int:
    """Whole milliseconds, rounded to the nearest; at least 1 for any time that is left."""
    return max(1, round(seconds * 1000)) if seconds > 0 else 0


# --- cards


def _cards(numbers: Iterable[int]) -> Hand:
    try:
        return tuple([_CARD_IN[number] for number in numbers])
    except KeyError:
        raise WireError("a card with an unknown number") from None


def _card(number: int) -> Card | None:
    if not number:
        return None
    card = _CARD_IN.get(number)
    if card is None:
        raise WireError("a card with an unknown number")
    return card


# --- actions


def answer(seq: int, action: AnyAction) -> player.PlayResponse:
    """Write a bot's answer to its turn."""
    response = player.PlayResponse(seq=seq)
    if isinstance(action, Burn):
        burned = response.burn
        burned.cards.extend([_CARD_OUT[card] for card in action.cards])
        burned.draw = _DRAW_OUT[action.draw]
    elif isinstance(action, Claim):
        response.claim.SetInParent()
    else:
        wire_claro.write_action(action, response)
    return response


def ready(seq: int) -> player.PlayResponse:
    """Write a bot's answer to a ready check."""
    return player.PlayResponse(seq=seq, ready=player.Ready())


def read_answer(response: player.PlayResponse) -> Answered:
    """Read a bot's answer: an action, or ``READY``."""
    kind = response.WhichOneof("message")
    if kind == "burn":
        return _burn(response.burn.cards, response.burn.draw)
    if kind == "claim":
        return CLAIM
    if kind == "ready":
        return READY
    if kind == "claro_play":
        return wire_claro.read_play(response.claro_play)
    if kind == "claro_discard":
        return wire_claro.read_discard(response.claro_discard)
    raise WireError("an answer that holds neither an action nor ready")


def _burn(numbers: Collection[int], draw: int) -> Burn:
    # No set of one rank is larger; what is larger is hostile, and not kept.
    return _kept_burn(tuple(numbers), draw) if len(numbers) <= 4 else _new_burn(numbers, draw)


def _new_burn(numbers: Iterable[int], draw: int) -> Burn:
    source = _DRAW_IN.get(draw)
    if source is None:
        raise WireError("a burn that does not say where it draws from")
    return Burn(_cards(numbers), source)


# The same few burns come again and again, and reading one anew takes as long as all the rest of
# its message.
_kept_burn = lru_cache(maxsize=4096)(_new_burn)


# --- events


def write_event(told: AnyEvent, seat: int, message: player.Event) -> None:
    """Write an event as ``seat`` may see it into an empty message."""
    # In place, and not once for all seats: keeping messages took as long as making them.
    if isinstance(told, Turn):
        _write_turn(told, seat, message.turn)
    elif isinstance(told, Reshuffle):
        message.reshuffle.number = told.number
        message.reshuffle.deck_size = told.deck_size
    elif isinstance(told, RoundStarted):
        started = message.round_started
        started.round = told.round
        started.starter = told.starter
        started.zero = _CARD_OUT[told.zero]
        started.hand.extend([_CARD_OUT[card] for card in told.hands[seat] or ()])
        started.deck_size = told.deck_size
    elif isinstance(told, RoundEnded):
        message.round_ended.CopyFrom(_round_ended(told))
    else:
        message.CopyFrom(wire_claro.event(told, seat))


def _write_turn(told: Turn, seat: int, message: burn.Turn) -> None:
    message.seat = told.seat
    if told.default:
        message.default_move = True
    action = told.action
    if isinstance(action, Claim):
        return
    message.burned.extend([_CARD_OUT[card] for card in action.cards])
    message.draw = _DRAW_OUT[action.draw]
    if told.drawn is not None and (seat == told.seat or action.draw is Draw.PILE):
        message.drawn = _CARD_OUT[told.drawn]


def _round_ended(told: RoundEnded) -> burn.RoundEnded:
    return burn.RoundEnded(
        round=told.round,
        reason=_ROUND_OUT[told.reason],
        claimer=told.claimer,
        success=told.success,
        hands=[burn.Hand(cards=[_CARD_OUT[card] for card in hand]) for hand in told.hands],
        points=told.points,
        totals=told.totals,
    )


def read_event(message: player.Event, seat: int, seats: int) -> AnyEvent:
    """Read an event that ``seat`` of ``seats`` was sent."""
    kind = message.WhichOneof("event")
    if kind == "turn":
        return _read_turn(message.turn, seats)
    if kind == "reshuffle":
        return Reshuffle(message.reshuffle.number, None, message.reshuffle.deck_size)
    if kind == "round_started":
        return _read_round_started(message.round_started, seat, seats)
    if kind == "round_ended":
        return _read_round_ended(message.round_ended, seats)
    if kind in wire_claro.READERS:
        return wire_claro.READERS[kind](getattr(message, kind), seat, seats)
    raise WireError("an event of an unknown kind: is this SDK older than the arena?")


def _read_turn(message: burn.Turn, seats: int) -> Turn:
    burned = message.burned
    action = _burn(burned, message.draw) if burned else CLAIM
    return Turn(
        checked_seat(message.seat, seats), action, _card(message.drawn), message.default_move
    )


def _read_round_started(message: burn.RoundStarted, seat: int, seats: int) -> RoundStarted:
    hands: list[Hand | None] = [None] * seats
    hands[seat] = _cards(message.hand)
    (zero,) = _cards([message.zero])
    starter = checked_seat(message.starter, seats)
    return RoundStarted(message.round, starter, zero, tuple(hands), None, message.deck_size)


def _read_round_ended(message: burn.RoundEnded, seats: int) -> RoundEnded:
    reason = _ROUND_IN.get(message.reason)
    if reason is None:
        raise WireError("a round that ended for an unknown reason")
    if not len(message.hands) == len(message.points) == len(message.totals) == seats:
        raise WireError("a round that ended without each seat's hand, points and total")
    return RoundEnded(
        message.round,
        reason,
        checked_seat(message.claimer, seats) if message.HasField("claimer") else None,
        message.success,
        tuple(_cards(hand.cards) for hand in message.hands),
        tuple(message.points),
        tuple(message.totals),
    )


# --- the arena's messages


def _request(seq: int, news: Iterable[AnyEvent], seat: int) -> player.PlayRequest:
    request = player.PlayRequest(seq=seq)
    for told in news:
        write_event(told, seat, request.events.add())
    return request


def match_started(seq: int, match_id: str, info: MatchInfo) -> player.PlayRequest:
    """Write the first message of a match."""
    started = player.MatchStarted(
        match_id=match_id,
        game=info.game,
        seat=info.seat,
        seats=info.seats,
        bot_seed=info.bot_seed,
        turn_ms=milliseconds(info.turn_time),
        ready_ms=milliseconds(info.ready_time),
        budget_ms=milliseconds(info.budget),
    )
    if isinstance(info.options, ClaimsOptions):
        started.claims.CopyFrom(burn.ClaimsOptions(**info.options.as_dict()))
    elif isinstance(info.options, ClaimOptions):
        started.claim.CopyFrom(burn.ClaimOptions(**info.options.as_dict()))
    elif isinstance(info.options, ClaroOptions):
        started.claro.CopyFrom(wire_claro.options(info.options))
    else:
        raise TypeError(f"no message for options of type {type(info.options).__name__}")
    return player.PlayRequest(seq=seq, match_started=started)


def read_match_started(message: player.MatchStarted) -> MatchInfo:
    """Read the facts of a match."""
    return MatchInfo(
        game=message.game,
        options=_options(message),
        seat=checked_seat(message.seat, message.seats),
        seats=message.seats,
        bot_seed=message.bot_seed,
        turn_time=message.turn_ms / 1000,
        ready_time=message.ready_ms / 1000,
        budget=message.budget_ms / 1000,
    )


def _options(message: player.MatchStarted) -> Options:
    kind = message.WhichOneof("options")
    if kind == "claims":
        return _read_options(ClaimsOptions, message.claims)
    if kind == "claim":
        return _read_options(ClaimOptions, message.claim)
    if kind == "claro":
        return wire_claro.read_options(message.claro)
    raise WireError("a match without options that this SDK knows: is it older than the arena?")


def _read_options(kind: type[Options], message: burn.ClaimsOptions | burn.ClaimOptions) -> Options:
    # A message's fields are named as the options are.
    try:
        return kind(**{name: getattr(message, name) for name in message.DESCRIPTOR.fields_by_name})
    except ValueError as error:
        raise WireError(f"a match with options that cannot be: {error}") from None


def your_turn(
    seq: int, news: Iterable[AnyEvent], seat: int, prompt: AnyPrompt, seconds: float
) -> player.PlayRequest:
    """Write the question for a turn."""
    request = _request(seq, news, seat)
    turn = request.your_turn
    turn.time_ms = milliseconds(seconds)
    if isinstance(prompt, ClaroPrompt):
        turn.claro.discarding = prompt.discarding
        turn.claro.SetInParent()
        return request
    allowed = turn.burn
    allowed.can_claim = prompt.can_claim
    if prompt.takeable is not None:
        allowed.takeable = _CARD_OUT[prompt.takeable]
    return request


def read_prompt(message: player.YourTurn) -> AnyPrompt:
    """Read what a turn allows."""
    kind = message.WhichOneof("prompt")
    if kind == "burn":
        return Prompt(_card(message.burn.takeable), message.burn.can_claim)
    if kind == "claro":
        return ClaroPrompt(message.claro.discarding)
    raise WireError("a turn that does not say what it allows: is this SDK too old?")


def ready_check(
    seq: int, news: Iterable[AnyEvent], seat: int, seconds: float
) -> player.PlayRequest:
    """Write the question between two rounds."""
    request = _request(seq, news, seat)
    request.ready_check.time_ms = milliseconds(seconds)
    return request


def match_ended(
    seq: int, news: Iterable[AnyEvent], seat: int, result: Result
) -> player.PlayRequest:
    """Write the last message of a match."""
    request = _request(seq, news, seat)
    request.match_ended.CopyFrom(
        player.MatchEnded(
            reason=_MATCH_OUT[result.reason], totals=result.totals, ranks=result.ranks
        )
    )
    return request


def read_match_ended(message: player.MatchEnded) -> Result:
    """Read how a match came out."""
    reason = _MATCH_IN.get(message.reason)
    if reason is None:
        raise WireError("a match that ended for an unknown reason")
    return Result(reason, tuple(message.totals), tuple(message.ranks))
