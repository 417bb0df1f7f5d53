"""What the end of a stream is called."""

from __future__ import annotations

import grpc
import pytest

from arena.match.faults import FaultKind
from arena.players.blame import Ending, ending_of


@pytest.mark.parametrize("code", grpc.StatusCode)
def test_every_status_has_a_kind_and_a_sentence(code: grpc.StatusCode) -> None:
    """None is left without a name, and what the bot said beside it is kept."""
    bare, told = ending_of(code, None), ending_of(code, "because")
    assert bare.kind in {FaultKind.CRASHED, FaultKind.PROTOCOL}
    assert bare.detail
    assert code is grpc.StatusCode.OK or told.detail.endswith("because")


def test_only_a_broken_connection_makes_the_host_be_asked_again() -> None:
    """A bot that still talks is not about to die."""
    assert [code for code in grpc.StatusCode if ending_of(code, "").broke] == [
        grpc.StatusCode.UNAVAILABLE
    ]


def test_the_sdks_own_words_stand_alone() -> None:
    """An error in a bot's code is told by its name, without gRPC's around it."""
    ending = ending_of(grpc.StatusCode.INTERNAL, "ValueError: no such card")
    assert ending == Ending(FaultKind.CRASHED, "ValueError: no such card")


@pytest.mark.parametrize(
    ("code", "details", "ending"),
    [
        (
            grpc.StatusCode.UNKNOWN,
            "Stream removed (Failed parsing HTTP/2 (Unexpected CONTINUATION frame))",
            Ending(
                FaultKind.PROTOCOL,
                "broke the rules of HTTP/2: Failed parsing HTTP/2 (Unexpected CONTINUATION frame)",
            ),
        ),
        (
            grpc.StatusCode.UNAVAILABLE,
            "Stream removed (Socket closed)",
            Ending(FaultKind.CRASHED, "the connection broke off: Socket closed", broke=True),
        ),
        (
            grpc.StatusCode.UNAVAILABLE,
            "Stream removed (GOAWAY received; Error code: 11)",
            Ending(FaultKind.PROTOCOL, "went away: GOAWAY received; Error code: 11", broke=True),
        ),
        (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "Stream removed (CLIENT: Received message larger than max (9 vs. 8))",
            Ending(
                FaultKind.PROTOCOL,
                "sent more than may be sent at once: "
                "CLIENT: Received message larger than max (9 vs. 8)",
            ),
        ),
    ],
)
def test_what_grpc_ends_itself_is_no_crash(
    code: grpc.StatusCode, details: str, ending: Ending
) -> None:
    """Frames that break the rules are the protocol's business; only a closed socket is a crash."""
    assert ending_of(code, details) == ending


def test_a_message_packed_in_an_unknown_way_is_no_crash() -> None:
    """gRPC calls it an error inside, as it calls a bot's own; but it was sent to us."""
    ending = ending_of(grpc.StatusCode.INTERNAL, "Compression bit set but no encoding configured")
    assert (ending.kind, ending.broke) == (FaultKind.PROTOCOL, False)
    assert ending.detail.startswith("sent a message that can't be read: Compression bit set")
