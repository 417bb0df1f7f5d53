"""Bots, their versions and their submissions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from arena.store import BotSummary, BotVersion, StoredSubmission, SubmissionState
from arenabot.v1 import arena_pb2 as pb

STATES: Final = {
    SubmissionState.RECEIVED: pb.SUBMISSION_STATE_RECEIVED,
    SubmissionState.CHECKED: pb.SUBMISSION_STATE_CHECKED,
    SubmissionState.BUILT: pb.SUBMISSION_STATE_BUILT,
    SubmissionState.QUALIFYING: pb.SUBMISSION_STATE_QUALIFYING,
    SubmissionState.READY: pb.SUBMISSION_STATE_READY,
    SubmissionState.REJECTED: pb.SUBMISSION_STATE_REJECTED,
}
"""Each state as the messages have it."""

_STATES_READ: Final = {number: state for state, number in STATES.items()}


def submission(record: StoredSubmission) -> pb.Submission:
    """Write a submission; where its archive and its log lie stays here."""
    return pb.Submission(
        id=record.id,
        bot=record.bot,
        author=record.author,
        state=STATES[record.state],
        reason=record.reason,
        advice=record.advice,
        trouble=record.trouble,
        digest=record.digest,
        version=record.version or 0,
        created=_time(record.created),
        updated=_time(record.updated),
    )


def submission_record(message: pb.Submission) -> StoredSubmission:
    """Read a submission; a state of a newer protocol is one under way."""
    return StoredSubmission(
        id=message.id,
        author=message.author,
        bot=message.bot,
        state=_STATES_READ.get(message.state, SubmissionState.RECEIVED),
        reason=message.reason,
        advice=tuple(message.advice),
        trouble=message.trouble,
        digest=message.digest,
        archive="",
        log=None,
        version=message.version or None,
        created=_when(message.created),
        updated=_when(message.updated),
    )


def bot(record: BotSummary) -> pb.BotSummary:
    """Write a bot."""
    return pb.BotSummary(
        name=record.name,
        author=record.author,
        newest=record.newest or 0,
        versions=record.versions,
    )


def bot_record(message: pb.BotSummary) -> BotSummary:
    """Read a bot."""
    return BotSummary(message.name, message.author, message.newest or None, message.versions)


def version(record: BotVersion) -> pb.BotVersion:
    """Write a version; where its archive lies stays here."""
    told = record.provenance
    return pb.BotVersion(
        bot=record.bot,
        author=record.author,
        number=record.number,
        label=record.label or "",
        digest=record.digest,
        games=record.games,
        runtime=record.runtime,
        entrypoint=record.entrypoint,
        created=_time(record.created),
        retired=None if record.retired is None else _time(record.retired),
        provenance=None if told is None else provenance(told),
    )


def version_record(message: pb.BotVersion) -> BotVersion:
    """Read a version."""
    return BotVersion(
        id=0,
        bot=message.bot,
        author=message.author,
        number=message.number,
        label=message.label or None,
        digest=message.digest,
        games=tuple(message.games),
        runtime=message.runtime,
        entrypoint=message.entrypoint,
        archive="",
        created=_when(message.created),
        retired=_when(message.retired) if message.HasField("retired") else None,
        provenance=_provenance_record(message) if message.HasField("provenance") else None,
    )


def provenance(told: Mapping[str, str]) -> pb.Provenance:
    """Write what stood behind a build or a match."""
    return pb.Provenance(
        **{name: told.get(name, "") for name in pb.Provenance.DESCRIPTOR.fields_by_name}
    )


def _provenance_record(message: pb.BotVersion) -> dict[str, str]:
    return {
        name: getattr(message.provenance, name) for name in pb.Provenance.DESCRIPTOR.fields_by_name
    }


def appearances(found: Iterable[tuple[str, int]]) -> list[pb.BotAppearance]:
    """Write where a bot's versions play."""
    return [pb.BotAppearance(tournament=name, version=number) for name, number in found]


def appearance_records(messages: Iterable[pb.BotAppearance]) -> list[tuple[str, int]]:
    """Read where a bot's versions play."""
    return [(message.tournament, message.version) for message in messages]


def _time(when: datetime) -> Timestamp:
    made = Timestamp()
    made.FromDatetime(when)
    return made


def _when(time: Timestamp) -> datetime:
    return time.ToDatetime(tzinfo=UTC)
