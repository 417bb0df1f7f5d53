"""What went wrong, as a caller is told it: one table from the rooms' errors to reasons."""

from __future__ import annotations

from typing import Final

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from arena.app.errors import ArenaError, NotReleased, WrongCall
from arena.match.replay import ReplayError
from arena.sandbox.errors import SandboxError
from arena.schedule import ScheduleError
from arena.server.refusals import DOMAIN, STATUS, Refused
from arena.store import (
    Conflict,
    InvalidRecord,
    NameTaken,
    NotFound,
    RequestReused,
    StoreError,
    StoreUnavailable,
)
from arena.submissions.errors import ImageError, SubmissionError
from arena.tournament.executor import ExecutorFailed
from arena.tournament.inprocess import NoBotFound
from arenabot.options import OptionError
from arenabot.v1 import arena_pb2 as pb

REASONS: Final[dict[type[Exception], pb.Reason.ValueType]] = {
    ArenaError: pb.REASON_WRONG_STATE,
    NotReleased: pb.REASON_NOT_RELEASED,
    WrongCall: pb.REASON_INVALID,
    OptionError: pb.REASON_INVALID,
    ScheduleError: pb.REASON_INVALID,
    ReplayError: pb.REASON_INVALID,
    SubmissionError: pb.REASON_BOT_REFUSED,
    NoBotFound: pb.REASON_NOT_FOUND,
    NotFound: pb.REASON_NOT_FOUND,
    InvalidRecord: pb.REASON_INVALID,
    Conflict: pb.REASON_WRONG_STATE,
    NameTaken: pb.REASON_NAME_TAKEN,
    RequestReused: pb.REASON_REQUEST_ID_REUSED,
    # What follows is the operator's business: a caller is not told where things lie here.
    StoreError: pb.REASON_INTERNAL,
    StoreUnavailable: pb.REASON_UNAVAILABLE,
    SandboxError: pb.REASON_UNAVAILABLE,
    ImageError: pb.REASON_UNAVAILABLE,
    ExecutorFailed: pb.REASON_UNAVAILABLE,
}
"""The reason for each family of errors; the nearest one counts. Anything else is a defect."""

_OURS: Final = {pb.REASON_INTERNAL, pb.REASON_UNAVAILABLE}
"""What is no caller's fault, and is told apart in our log."""

_LONGEST: Final = 1000
"""Characters of a sentence: it travels in metadata, which has a limit at the caller's."""

_AGAIN_IN: Final = 5.0
"""Seconds after which it makes sense to try again what wasn't available."""


def refused(error: Exception, entry: str) -> Refused:
    """Tell an error to whoever called; `entry` is the call's id in the log."""
    if isinstance(error, Refused):
        return error
    reason = _reason(error)
    if reason == pb.REASON_UNAVAILABLE:
        return Refused(
            reason,
            f"the arena cannot do this just now: try again later (its log has more: {entry})",
            again_in=_AGAIN_IN,
        )
    if reason == pb.REASON_INTERNAL:
        return Refused(reason, f"this is a defect of the arena: report it with {entry}")
    return Refused(reason, str(error))


def is_ours(refusal: Refused) -> bool:
    """Whether the operator should look into it, since no caller can help it."""
    return refusal.reason in _OURS


def _reason(error: Exception) -> pb.Reason.ValueType:
    for kind in type(error).__mro__:
        if kind in REASONS:
            return REASONS[kind]
    return pb.REASON_INTERNAL


def status(refusal: Refused) -> Status:
    """Write a refusal as google.rpc says it."""
    made = Status(code=STATUS[refusal.reason].value[0], message=str(refusal)[:_LONGEST])
    _pack(made.details.add(), ErrorInfo(reason=refusal.word, domain=DOMAIN))
    if refusal.again_in is not None:
        delay = Duration()
        delay.FromNanoseconds(round(refusal.again_in * 1e9))
        _pack(made.details.add(), RetryInfo(retry_delay=delay))
    return made


def _pack(detail: AnyMessage, message: ErrorInfo | RetryInfo) -> None:
    detail.Pack(message)


def code(refusal: Refused) -> grpc.StatusCode:
    """The gRPC status of a refusal."""
    return STATUS[refusal.reason]
