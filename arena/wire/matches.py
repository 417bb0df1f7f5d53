"""Matches, how far a tournament is, and the lines of a match that is watched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Final

from google.protobuf.json_format import MessageToDict
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

from arena.app.tournaments.live import Playing
from arena.match.replay import Line
from arena.store import (
    MatchKey,
    MatchStatus,
    Progress,
    SeatFault,
    SeatResult,
    StoredMatch,
    StoredResult,
    TournamentState,
)
from arenabot.v1 import arena_pb2 as pb

STATES: Final = {
    TournamentState.ENTRY: pb.TOURNAMENT_STATE_ENTRY,
    TournamentState.CREATED: pb.TOURNAMENT_STATE_CREATED,
    TournamentState.RUNNING: pb.TOURNAMENT_STATE_RUNNING,
    TournamentState.FINISHED: pb.TOURNAMENT_STATE_FINISHED,
    TournamentState.CANCELLED: pb.TOURNAMENT_STATE_CANCELLED,
}
"""Each state of a tournament as the messages have it."""

STATUSES: Final = {
    MatchStatus.PENDING: pb.MATCH_STATUS_PENDING,
    MatchStatus.DONE: pb.MATCH_STATUS_DONE,
    MatchStatus.HOLE: pb.MATCH_STATUS_HOLE,
    MatchStatus.ANNULLED: pb.MATCH_STATUS_ANNULLED,
}
"""Each status of a match as the messages have it."""

_STATES_READ: Final = {number: state for state, number in STATES.items()}
_STATUSES_READ: Final = {number: status for status, number in STATUSES.items()}


@dataclass(frozen=True, slots=True)
class Known:
    """All that is known of a match: how it stands, what came of it, and whether it may be shown."""

    match: StoredMatch
    result: StoredResult | None = None
    released: bool = False


def progress(at: Progress, playing: Playing) -> pb.TournamentProgress:
    """Write how far a tournament is, and what a server does about it."""
    return pb.TournamentProgress(
        state=STATES[at.state],
        matches=at.matches,
        done=at.done,
        holes=at.holes,
        annulled=at.annulled,
        voids=at.voids,
        wanted=playing.wanted,
        in_play=playing.in_play,
        trouble=playing.trouble,
    )


def progress_record(message: pb.TournamentProgress) -> tuple[Progress, Playing]:
    """Read how far a tournament is; a state of a newer protocol is one of a running one."""
    at = Progress(
        state=_STATES_READ.get(message.state, TournamentState.RUNNING),
        matches=message.matches,
        done=message.done,
        holes=message.holes,
        voids=message.voids,
        annulled=message.annulled,
    )
    return at, Playing(message.wanted, tuple(message.in_play), message.trouble)


def match(known: Known) -> pb.Match:
    """Write a match; where its replay and its logs lie stays here."""
    stored = known.match
    return pb.Match(
        id=stored.id,
        block=stored.key.block,
        rotation=stored.key.rotation,
        status=STATUSES[stored.status],
        attempts=stored.attempts,
        seating=stored.seating,
        released=known.released,
        result=None if known.result is None else _result(known.result, told=known.released),
    )


def match_record(message: pb.Match) -> Known:
    """Read a match; a status of a newer protocol is one of a match that is pending."""
    stored = StoredMatch(
        key=MatchKey(message.block, message.rotation),
        id=message.id,
        seating=tuple(message.seating),
        status=_STATUSES_READ.get(message.status, MatchStatus.PENDING),
        attempts=message.attempts,
    )
    result = _result_record(message) if message.HasField("result") else None
    return Known(stored, result, message.released)


def line(shown: Mapping[str, Any]) -> Struct:
    """Write a line of a match."""
    made = Struct()
    made.update(shown)
    return made


def line_record(message: Struct) -> Line:
    """Read a line of a match."""
    read = _read(MessageToDict(message))
    assert isinstance(read, dict)  # noqa: S101 - a Struct is
    return read


def _result(result: StoredResult, *, told: bool) -> pb.MatchResult:
    recorded = Timestamp()
    recorded.FromDatetime(result.recorded_at)
    return pb.MatchResult(
        reason=result.reason,
        rounds=result.rounds,
        turns=result.turns,
        digest=result.replay_digest,
        seats=[_seat(seat, told=told) for seat in result.seats],
        recorded=recorded,
        measured=line(result.measured),
    )


def _result_record(message: pb.Match) -> StoredResult:
    result = message.result
    return StoredResult(
        match_id=message.id,
        key=MatchKey(message.block, message.rotation),
        reason=result.reason,
        rounds=result.rounds,
        turns=result.turns,
        replay="",
        replay_digest=result.digest,
        seats=tuple(_seat_record(seat) for seat in result.seats),
        recorded_at=result.recorded.ToDatetime(tzinfo=UTC),
        measured=line_record(result.measured),
    )


def _seat(seat: SeatResult, *, told: bool) -> pb.SeatResult:
    return pb.SeatResult(
        seat=seat.seat,
        entry=seat.entry,
        rank=seat.rank,
        points=seat.total,
        outcome=seat.outcome,
        # It may be the bot's own words, and so tell cards that are still in play.
        detail=seat.detail if told else "",
        faults=[pb.SeatFault(round=f.round, turn=f.turn, kind=f.kind) for f in seat.faults],
        charged_ms=seat.charged_ms,
        peak_memory=seat.peak_memory,
        luck=seat.luck,
        has_log=seat.log is not None,
    )


def _seat_record(message: pb.SeatResult) -> SeatResult:
    return SeatResult(
        seat=message.seat,
        entry=message.entry,
        rank=message.rank,
        total=message.points,
        faults=tuple(SeatFault(f.round, f.turn, f.kind) for f in message.faults),
        outcome=message.outcome,
        detail=message.detail,
        charged_ms=message.charged_ms,
        peak_memory=message.peak_memory if message.HasField("peak_memory") else None,
        luck=message.luck if message.HasField("luck") else None,
        # That there is one is known, but not where.
        log="" if message.has_log else None,
    )


def _read(value: Any) -> Any:
    """JSON as it was before a Struct made every number a float."""
    if isinstance(value, dict):
        return {key: _read(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_read(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
