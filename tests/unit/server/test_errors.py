"""What a caller is told of what went wrong."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo

from arena.app.errors import ArenaError, WrongCall
from arena.app.failures import FOR_PEOPLE, WRONG_CALLS
from arena.server.errors import REASONS, is_ours, refused, status
from arena.server.refusals import STATUS, Refused
from arena.store import NameTaken, NotFound, StoreError, StoreFull, StoreLocked, TournamentOver
from arenabot.v1 import arena_pb2 as pb


def _families(kind: type[Exception]) -> Iterator[type[Exception]]:
    yield kind
    for each in kind.__subclasses__():
        yield from _families(each)


def _reason(kind: type[Exception]) -> int:
    return next(REASONS[each] for each in kind.__mro__ if each in REASONS)


def test_every_family_has_a_reason() -> None:
    """Each error for people, and each of its kinds, is told as something that helps."""
    for kind in FOR_PEOPLE:
        assert kind in REASONS, kind
    every = [each for kind in FOR_PEOPLE for each in _families(kind)]
    assert len(every) > 40
    defects = {each.__name__ for each in every if _reason(each) == pb.REASON_INTERNAL}
    operators = {"StoreUnusable", "StoreTooNew", "StoreForeign", "StoreDamaged", "BackupFailed"}
    assert {"StoreError", "StoreDamaged"} <= defects <= {"StoreError", *operators}
    assert {_reason(kind) for kind in WRONG_CALLS} == {pb.REASON_INVALID}


def test_every_reason_has_its_status() -> None:
    """None of arena.proto is missing, and each is described there with the same status."""
    assert set(STATUS) == set(pb.Reason.values()) - {pb.REASON_UNSPECIFIED}


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (NotFound("x"), pb.REASON_NOT_FOUND),
        (NameTaken("x"), pb.REASON_NAME_TAKEN),
        (TournamentOver("x"), pb.REASON_WRONG_STATE),
        (ArenaError("x"), pb.REASON_WRONG_STATE),
        (WrongCall("x"), pb.REASON_INVALID),
        (StoreLocked("x"), pb.REASON_UNAVAILABLE),
        (StoreFull("x"), pb.REASON_UNAVAILABLE),
        (StoreError("x"), pb.REASON_INTERNAL),
        (KeyError("x"), pb.REASON_INTERNAL),
    ],
)
def test_the_nearest_family_counts(error: Exception, reason: int) -> None:
    """So that a kind of an error may be told otherwise than its family."""
    assert refused(error, "entry").reason == reason


def test_what_is_the_callers_is_said_in_the_rooms_own_words() -> None:
    """A refusal stays as it is."""
    assert str(refused(NotFound("there is no bot 'x'"), "e")) == "there is no bot 'x'"
    refusal = Refused(pb.REASON_INVALID, "no")
    assert refused(refusal, "e") is refusal
    assert not is_ours(refusal)


@pytest.mark.parametrize("error", [StoreFull("/srv/arena is full"), KeyError("/srv/arena")])
def test_what_is_ours_is_told_without_where_things_lie(error: Exception) -> None:
    """The sentence names the entry in the log, and nothing of this machine."""
    refusal = refused(error, "4711abcd")
    assert is_ours(refusal)
    assert "4711abcd" in str(refusal)
    assert "/srv" not in str(refusal)


def test_a_refusal_is_written_as_google_rpc_has_it() -> None:
    """Code, sentence, reason and domain, and when to come again."""
    made = status(Refused(pb.REASON_RATE_LIMITED, "slowly", again_in=1.5))
    assert (made.code, made.message) == (grpc.StatusCode.RESOURCE_EXHAUSTED.value[0], "slowly")
    info, retry = ErrorInfo(), RetryInfo()
    assert made.details[0].Unpack(info)
    assert (info.reason, info.domain) == ("RATE_LIMITED", "claim-arena")
    assert made.details[1].Unpack(retry)
    assert retry.retry_delay.ToMilliseconds() == 1500
    assert len(status(Refused(pb.REASON_INVALID, "no")).details) == 1


def test_a_long_sentence_is_cut() -> None:
    """It must fit into what callers take as metadata."""
    assert len(status(Refused(pb.REASON_INVALID, "x" * 100_000)).message) == 1000
