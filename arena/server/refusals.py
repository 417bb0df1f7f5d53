"""Why a call was refused: a reason that a program can switch on, and a sentence for a person."""

from __future__ import annotations

from typing import Final

import grpc

from arenabot.v1 import arena_pb2 as pb

DOMAIN: Final = "claim-arena"
"""The domain of every google.rpc.ErrorInfo of ours."""

STATUS: Final = {
    pb.REASON_TOKEN_MISSING: grpc.StatusCode.UNAUTHENTICATED,
    pb.REASON_TOKEN_INVALID: grpc.StatusCode.UNAUTHENTICATED,
    pb.REASON_ROLE_TOO_LOW: grpc.StatusCode.PERMISSION_DENIED,
    pb.REASON_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    pb.REASON_INVALID: grpc.StatusCode.INVALID_ARGUMENT,
    pb.REASON_NAME_TAKEN: grpc.StatusCode.ALREADY_EXISTS,
    pb.REASON_WRONG_STATE: grpc.StatusCode.FAILED_PRECONDITION,
    pb.REASON_REQUEST_ID_REUSED: grpc.StatusCode.INVALID_ARGUMENT,
    pb.REASON_RATE_LIMITED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    pb.REASON_TOO_LARGE: grpc.StatusCode.RESOURCE_EXHAUSTED,
    pb.REASON_BOT_REFUSED: grpc.StatusCode.INVALID_ARGUMENT,
    pb.REASON_DIGEST_MISMATCH: grpc.StatusCode.INVALID_ARGUMENT,
    pb.REASON_DRAINING: grpc.StatusCode.UNAVAILABLE,
    pb.REASON_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    pb.REASON_INTERNAL: grpc.StatusCode.INTERNAL,
    pb.REASON_NOT_RELEASED: grpc.StatusCode.FAILED_PRECONDITION,
}
"""The status that goes with each reason, as arena.proto promises."""


class Refused(Exception):
    """A call that is not done; the text is one sentence for whoever called."""

    def __init__(
        self, reason: pb.Reason.ValueType, sentence: str, *, again_in: float | None = None
    ) -> None:
        """`again_in` is how many seconds to wait before trying again, where that helps."""
        super().__init__(sentence)
        self.reason = reason
        self.again_in = again_in

    @property
    def word(self) -> str:
        """The reason as ErrorInfo has it."""
        return pb.Reason.Name(self.reason).removeprefix("REASON_")
