"""Bots on the wire: what is told comes back, and nothing else is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from arena.store import BotSummary, BotVersion, StoredSubmission, SubmissionState
from arena.wire import bots
from arenabot.v1 import arena_pb2 as pb

NOW = datetime(2026, 11, 30, 12, 0, 1, 250_000, tzinfo=UTC)
SUBMISSION = StoredSubmission(
    id="0123456789abcdef",
    author="ana",
    bot="greedy",
    state=SubmissionState.REJECTED,
    reason="it crashed",
    advice=("one", "two"),
    trouble="the engine is away",
    digest="d" * 64,
    archive="a" * 64,
    log="b" * 64,
    version=3,
    created=NOW,
    updated=NOW.replace(minute=5),
)
VERSION = BotVersion(
    id=17,
    bot="greedy",
    author="ana",
    number=3,
    label="beta",
    digest="d" * 64,
    games=("claims", "claro"),
    runtime="python",
    entrypoint="bot.py",
    archive="a" * 64,
    created=NOW,
    retired=NOW,
    provenance={"base_image": "sha256:1", "sdk": "1", "protocol": "arenabot.v1", "engine": "1.0"},
)


@pytest.mark.parametrize("state", SubmissionState)
def test_a_submission_comes_back(state: SubmissionState) -> None:
    """In every state; where its archive and log lie is ours alone."""
    record = replace(SUBMISSION, state=state)
    message = bots.submission(record)
    assert bots.submission_record(message) == replace(record, archive="", log=None)
    assert b"a" * 64 not in message.SerializeToString()


def test_what_a_submission_does_not_have_comes_back_so() -> None:
    """No version, no advice, no reason; a state that we don't know yet is no end."""
    bare = replace(SUBMISSION, version=None, advice=(), reason="", trouble="")
    message = bots.submission(bare)
    assert bots.submission_record(message) == replace(bare, archive="", log=None)
    message.state = 99  # type: ignore[assignment]
    assert not bots.submission_record(message).state.over


def test_every_state_has_its_own_number() -> None:
    """None is missing on either side."""
    assert set(bots.STATES) == set(SubmissionState)
    named = set(pb.SubmissionState.values()) - {pb.SUBMISSION_STATE_UNSPECIFIED}
    assert set(bots.STATES.values()) == named


@pytest.mark.parametrize(
    "record",
    [VERSION, replace(VERSION, label=None, retired=None, provenance=None, games=("claims",))],
)
def test_a_version_comes_back(record: BotVersion) -> None:
    """What is not known stays unknown."""
    back = bots.version_record(bots.version(record))
    assert back == replace(record, id=0, archive="")


@pytest.mark.parametrize("newest", [None, 4])
def test_a_bot_comes_back(newest: int | None) -> None:
    """Also one without a version in use."""
    record = BotSummary("greedy", "ana", newest, 4)
    assert bots.bot_record(bots.bot(record)) == record


def test_appearances_come_back() -> None:
    """In their order."""
    found = [("cup", 2), ("friendly", 1)]
    assert bots.appearance_records(bots.appearances(found)) == found
