"""Whatever is sent is read or refused in one way: no other error, nothing kept."""

from __future__ import annotations

from contextlib import suppress

import pytest
from google.protobuf import text_format
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from arenabot import wire
from arenabot.actions import Burn
from arenabot.v1 import burn_pb2 as burn
from arenabot.v1 import player_pb2 as player

numbers = st.integers(-(2**31), 2**31 - 1)
thorough = settings(max_examples=300, deadline=None)


def fields(number: int, *values: int) -> bytes:
    """The bytes of a repeated varint field, whatever the values are."""
    return b"".join(_varint(number << 3) + _varint(value) for value in values)


def nested(number: int, body: bytes) -> bytes:
    """The bytes of a message in a field."""
    return _varint(number << 3 | 2) + _varint(len(body)) + body


def _varint(value: int) -> bytes:
    value &= 2**64 - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


@thorough
@given(st.binary(max_size=200))
def test_any_bytes_are_an_answer_or_refused(data: bytes) -> None:
    """Bytes that are no message raise ``DecodeError``, messages that say nothing ``WireError``."""
    with suppress(DecodeError, wire.WireError):
        wire.read_answer(player.PlayResponse.FromString(data))


@thorough
@given(kind=st.integers(2, 6), cards=st.lists(numbers, max_size=8), draw=numbers)
def test_any_numbers_are_an_answer_or_refused(kind: int, cards: list[int], draw: int) -> None:
    """Cards and sources with numbers that do not exist are refused by name, not by accident."""
    body = nested(kind, fields(1, *cards) + fields(2, draw))
    try:
        action = wire.read_answer(player.PlayResponse.FromString(body))
    except (DecodeError, wire.WireError):
        return
    if isinstance(action, Burn):
        assert [card + 1 for card in action.cards] == cards


@thorough
@given(data=st.binary(max_size=300), seat=st.integers(0, 3))
def test_any_event_is_read_or_refused(data: bytes, seat: int) -> None:
    """An SDK that meets a broken arena says so, too."""
    with suppress(DecodeError, wire.WireError):
        wire.read_event(player.Event.FromString(data), seat, 4)


#: As protobuf's text form writes them.
EVENTS = {
    "nothing": "",
    "a turn of a seat that is not there": "turn { seat: 2 burned: [1] draw: DRAW_DECK }",
    "a burn from nowhere": "turn { burned: [1] }",
    "a burn of no card": "turn { burned: [0] draw: DRAW_DECK }",
    "a deal without a zero card": "round_started { round: 1 hand: [1, 2] }",
    "a deal of a starter that is not there": "round_started { starter: 2 zero: 1 }",
    "a round's end without hands": "round_ended { reason: ROUND_REASON_DECK }",
    "a round's end without a reason": "round_ended { round: 1 }",
    "a Claro card without a number": "claro_played { turn: 1 }",
    "a Claro pass of a seat that is not there": "claro_passed { turn: 1 seat: 2 }",
    "a Claro round without hand sizes": "claro_round_started { round: 1 }",
    "a Claro round's end without stars": "claro_round_ended { reason: 1 }",
    "Claro discards of a seat that is not there": "claro_discarded { seat: 2 }",
}


@pytest.mark.parametrize("text", EVENTS.values(), ids=EVENTS)
def test_an_event_that_cannot_be_is_refused(text: str) -> None:
    """With one sentence, as ``WireError``."""
    message = text_format.Parse(text, player.Event())
    with pytest.raises(wire.WireError, match=r"^[^\n]+$"):
        wire.read_event(message, 0, 2)


def test_a_match_of_an_unknown_game_is_refused() -> None:
    """A match without options, with impossible ones, or with a seat that is not there."""
    for start in (
        player.MatchStarted(game="poker", seats=2),
        player.MatchStarted(game="claims", seats=2, claims=burn.ClaimsOptions(target=7)),
        player.MatchStarted(
            game="claims",
            seat=2,
            seats=2,
            claims=burn.ClaimsOptions(target=300, stall_laps=20, max_laps=500, max_rounds=500),
        ),
    ):
        with pytest.raises(wire.WireError):
            wire.read_match_started(start)


def test_huge_burns_are_not_kept() -> None:
    """A hostile answer cannot make the arena remember it: only what can be a set is kept."""
    kept = wire._kept_burn.cache_info().currsize
    huge = player.PlayResponse(
        burn=burn.Burn(cards=[burn.CARD_ACE_OF_SPADES] * 5, draw=burn.DRAW_DECK)
    )
    action = wire.read_answer(huge)
    assert isinstance(action, Burn)
    assert len(action.cards) == 5
    assert wire._kept_burn.cache_info().currsize == kept
    assert wire._kept_burn.cache_info().maxsize == 4096
