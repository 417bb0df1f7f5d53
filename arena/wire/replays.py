"""Whether a replay holds."""

from __future__ import annotations

from arena.match.verify import Verdict
from arenabot.v1 import arena_pb2 as pb


def verdict(record: Verdict) -> pb.VerifyReplayResponse:
    """Write what came of checking a replay; its result stays here."""
    return pb.VerifyReplayResponse(
        holds=record.holds,
        line=record.line or 0,
        why=record.reason or "",
        digest=record.digest,
    )


def verdict_record(message: pb.VerifyReplayResponse) -> Verdict:
    """Read it; line 0 is that of a file that is no replay at all."""
    if message.holds:
        return Verdict(None, digest=message.digest)
    return Verdict(None, message.line, message.why, message.digest)
