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
