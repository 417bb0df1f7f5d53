"""Matches, progress and watched lines come out of their messages as they went in."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from arena.app.tournaments.live import Playing
from arena.match import replay
from arena.match.spectating import public
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
from arena.wire import matches as wire
from arena.wire.matches import Known
from arenabot.v1 import arena_pb2 as pb
from tests.unit.match.scripted import play, setup

MATCH = StoredMatch(MatchKey(3, 1), "a" * 16, (4, 0), MatchStatus.DONE, 2)
SEAT = SeatResult(
    seat=0,
    entry=4,
    rank=1,
    total=-7,
    faults=(SeatFault(1, 2, "TIMEOUT"),),
    outcome="PLAYED",
    detail="played to the end",
    charged_ms=12.5,
    peak_memory=None,
    luck=None,
    log=None,
)
RESULT = StoredResult(
    match_id=MATCH.id,
    key=MATCH.key,
    reason="target",
    rounds=7,
    turns=160,
    replay="",
    replay_digest="d" * 64,
    seats=(SEAT, replace(SEAT, seat=1, entry=0, rank=2, peak_memory=0, luck=0.25, log="")),
    recorded_at=datetime(2026, 11, 30, 12, 30, 1, 250000, tzinfo=UTC),
    measured={"seconds": 1.25, "held": [True, False], "provenance": None, "slowest_ms": [3, 4.5]},
)


@pytest.mark.parametrize("status", MatchStatus)
def test_a_match_comes_out_as_it_went_in(status: MatchStatus) -> None:
    """Whatever its status; with its result once it has one."""
    match = replace(MATCH, status=status)
    assert wire.match_record(wire.match(Known(match))) == Known(match)
    whole = Known(match, RESULT, released=True)
    assert wire.match_record(wire.match(whole)) == whole


def test_where_replays_and_logs_lie_is_not_told() -> None:
    """Only that there is a log."""
    seats = (replace(SEAT, log="1" * 64), RESULT.seats[1])
    message = wire.match(Known(MATCH, replace(RESULT, replay="2" * 64, seats=seats)))
    assert message.result.seats[0].has_log
    for secret in ("1" * 64, "2" * 64):
        assert secret not in str(message)


def test_what_a_bot_said_is_not_told_while_its_cards_are_in_play() -> None:
    """It may be worded by the bot, and so tell what it holds."""
    seats = (replace(SEAT, detail="I hold 7s"), RESULT.seats[1])
    known = Known(MATCH, replace(RESULT, seats=seats))
    assert "7s" not in str(wire.match(known))
    assert "7s" in str(wire.match(replace(known, released=True)))


@pytest.mark.parametrize("state", TournamentState)
def test_progress_comes_out_as_it_went_in(state: TournamentState) -> None:
    """With what a server does about it."""
    at = Progress(state, matches=9, done=4, holes=1, voids=5, annulled=2)
    playing = Playing(wanted=True, in_play=("a", "b"), trouble="the engine is away")
    assert wire.progress_record(wire.progress(at, playing)) == (at, playing)


def test_a_state_of_a_newer_server_is_no_error() -> None:
    """A tournament goes on and a match is pending until something is said that is known."""
    newer = pb.TournamentProgress(state=99)  # type: ignore[arg-type]
    assert wire.progress_record(newer)[0].state is TournamentState.RUNNING
    match = wire.match_record(pb.Match(status=99))  # type: ignore[arg-type]
    assert match.match.status is MatchStatus.PENDING


@pytest.mark.parametrize("game", ["claims", "claim", "claro"])
def test_watched_lines_come_out_as_they_went_in(game: str) -> None:
    """Whole numbers as such, though a Struct knows only floats."""
    for line in replay.unpack(play(setup(3, game)).replay):
        shown = public(line)
        assert shown is not None
        back = wire.line_record(wire.line(shown))
        assert back == shown
        assert replay.digest([back]) == replay.digest([shown]) or "timers" in shown
