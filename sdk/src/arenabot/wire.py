"""The one place that turns the vocabulary into protocol messages and back, for both sides.

Every ``read_*`` raises ``WireError`` for what the protocol does not allow, and nothing else.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Final, TypeAlias

from arenabot import wire_claro
from arenabot.actions import CLAIM, Action, Burn, Claim, Draw
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


def milliseconds(seconds: float) -> int:
    """Whole milliseconds, rounded to the nearest; at least 1 for any time that is left."""
    return max(1, round(seconds * 1000)) if seconds > 0 else 0


# --- cards


def _cards(numbers: Iterable[int]) -> Hand:
    try:
        return tuple([DECK[_index(number)] for number in numbers])
    except IndexError:
        raise WireError("a card with an unknown number") from None


def _index(number: int) -> int:
    if number < 1:
        raise WireError("a card without a number")
    return number - 1


def _card(number: int) -> Card | None:
    return _cards((number,))[0] if number else None


# --- actions


def answer(seq: int, action: AnyAction) -> player.PlayResponse:
    """Write a bot's answer to its turn."""
    response = player.PlayResponse(seq=seq)
    if isinstance(action, Burn):
        response.burn.cards.extend([_CARD_OUT[card] for card in action.cards])
        response.burn.draw = _DRAW_OUT[action.draw]
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
        return Burn(_cards(response.burn.cards), _draw(response.burn.draw))
    if kind == "claim":
        return CLAIM
    if kind == "ready":
        return READY
    if kind == "claro_play":
        return wire_claro.read_play(response.claro_play)
    if kind == "claro_discard":
        return wire_claro.read_discard(response.claro_discard)
    raise WireError("an answer that holds neither an action nor ready")


def _draw(number: int) -> Draw:
    draw = _DRAW_IN.get(number)
    if draw is None:
        raise WireError("a burn that does not say where it draws from")
    return draw


# --- events


def event(told: AnyEvent, seat: int) -> player.Event:
    """Write an event as ``seat`` may see it."""
    if isinstance(told, Turn):
        return player.Event(turn=_turn(told, seat))
    if isinstance(told, Reshuffle):
        return player.Event(reshuffle=burn.Reshuffle(number=told.number, deck_size=told.deck_size))
    if isinstance(told, RoundStarted):
        return player.Event(
            round_started=burn.RoundStarted(
                round=told.round,
                starter=told.starter,
                zero=_CARD_OUT[told.zero],
                hand=[_CARD_OUT[card] for card in told.hands[seat] or ()],
                deck_size=told.deck_size,
            )
        )
    if isinstance(told, RoundEnded):
        return player.Event(round_ended=_round_ended(told))
    return wire_claro.event(told, seat)


def _turn(told: Turn, seat: int) -> burn.Turn:
    message = burn.Turn(seat=told.seat, default_move=told.default)
    action = told.action
    if isinstance(action, Claim):
        return message
    message.burned.extend([_CARD_OUT[card] for card in action.cards])
    message.draw = _DRAW_OUT[action.draw]
    if told.drawn is not None and (seat == told.seat or action.draw is Draw.PILE):
        message.drawn = _CARD_OUT[told.drawn]
    return message


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
        return _read_turn(message.turn)
    if kind == "reshuffle":
        return Reshuffle(message.reshuffle.number, None, message.reshuffle.deck_size)
    if kind == "round_started":
        started = message.round_started
        hands: list[Hand | None] = [None] * seats
        hands[seat] = _cards(started.hand)
        zero = _cards((started.zero,))[0]
        return RoundStarted(
            started.round, started.starter, zero, tuple(hands), None, started.deck_size
        )
    if kind == "round_ended":
        return _read_round_ended(message.round_ended)
    if kind in wire_claro.READERS:
        return wire_claro.READERS[kind](getattr(message, kind), seat, seats)
    raise WireError("an event of an unknown kind: is this SDK older than the arena?")


def _read_turn(message: burn.Turn) -> Turn:
    action: Action = CLAIM
    if message.burned:
        action = Burn(_cards(message.burned), _draw(message.draw))
    return Turn(message.seat, action, _card(message.drawn), message.default_move)


def _read_round_ended(message: burn.RoundEnded) -> RoundEnded:
    reason = _ROUND_IN.get(message.reason)
    if reason is None:
        raise WireError("a round that ended for an unknown reason")
    return RoundEnded(
        message.round,
        reason,
        message.claimer if message.HasField("claimer") else None,
        message.success,
        tuple(_cards(hand.cards) for hand in message.hands),
        tuple(message.points),
        tuple(message.totals),
    )


# --- the arena's messages


def _request(seq: int, news: Iterable[AnyEvent], seat: int) -> player.PlayRequest:
    return player.PlayRequest(seq=seq, events=[event(told, seat) for told in news])


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
        seat=message.seat,
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
    turn.burn.can_claim = prompt.can_claim
    if prompt.takeable is not None:
        turn.burn.takeable = _CARD_OUT[prompt.takeable]
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
