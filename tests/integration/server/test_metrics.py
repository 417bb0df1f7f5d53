"""What a server counts of what it plays and builds."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.app.conducting.hub import submission_topic
from arena.match.faults import FaultKind, PlayerFault
from arena.server.metrics import Metrics
from arena.store import Progress, Store, StoredSubmission, SubmissionState, TournamentState
from arena.store.testing import make_tournament
from arena.tournament.job import Outcome, Played, Voided, VoidReason
from arena.tournament.runner import Step
from tests.integration.server.calling import QuietConductor
from tests.integration.server.conducting import (
    bot,
    conducting,
    cup,
    held_bot,
    let_go,
    until,
    until_done,
)
from tests.unit.match.scripted import Scripted, play, setup


def value(metrics: Metrics, name: str, **labels: str) -> float:
    """A figure; 0 if there is none."""
    return metrics.registry.get_sample_value(name, labels) or 0.0


async def settled(metrics: Metrics) -> None:
    """Wait until no replay is waiting."""
    await until(lambda: metrics._unread == 0)


@pytest.fixture
def step(store: Store) -> Step:
    """A match of a tournament that was spoilt."""
    (match, *_) = store.matches(make_tournament(store).id)
    progress = Progress(TournamentState.RUNNING, 6, 0, 0, 0)
    return Step(progress, match, Voided(match.id, VoidReason.STALLED, "stood still"))


async def test_a_tournament_is_counted_match_by_match(store: Store, tmp_path: Path) -> None:
    """Its moves, too, with what each was charged; what is to be played as long as it is."""
    gate = tmp_path / "gate"
    gate.touch()
    names = [held_bot(tmp_path, "one", gate), bot(tmp_path, "two")]
    async with conducting(store) as conductor:
        metrics = Metrics()
        metrics.follow(conductor)
        made = cup(store, names)
        await conductor.want(made.name)
        await until(lambda: value(metrics, "arena_matches_in_play") > 0)
        await metrics.page(store)
        assert value(metrics, "arena_matches_pending") == 4
        assert value(metrics, "arena_tournaments_wanted") == 1
        let_go(gate)
        await until_done(conductor, store, made)
        await settled(metrics)
        page = (await metrics.page(store)).decode()
    assert value(metrics, "arena_matches_total", outcome="max_rounds") + value(
        metrics, "arena_matches_total", outcome="target"
    ) == len(store.results(made.id))
    turns = sum(result.turns for result in store.results(made.id))
    assert value(metrics, "arena_move_seconds_count") == turns > 0
    charged = sum(seat.charged_ms for each in store.results(made.id) for seat in each.seats) / 1000
    assert 0 < value(metrics, "arena_move_seconds_sum") <= charged * 1.01
    assert value(metrics, "arena_match_seconds_count") == 4
    assert value(metrics, "arena_matches_pending") == 0
    assert "arena_matches_in_play 0.0" in page
    metrics.close()


async def test_a_spoilt_match_is_counted_by_its_reason(step: Step) -> None:
    """And as no match that was played."""
    metrics = Metrics()
    metrics.match_ended(step)
    assert value(metrics, "arena_voids_total", reason="STALLED") == 1
    assert value(metrics, "arena_match_seconds_count") == 0
    metrics.close()


async def test_faults_are_counted_by_kind(step: Step) -> None:
    """Each seat's."""

    def late(turn: int, _: object) -> PlayerFault | None:
        return PlayerFault(FaultKind.TIMEOUT, "late", 1.0) if turn in {2, 3} else None

    record = await asyncio.to_thread(play, setup(2, max_rounds=2), Scripted(late))
    metrics = Metrics()
    metrics.match_ended(replace(step, outcome=Played(record)))
    await settled(metrics)
    assert value(metrics, "arena_faults_total", kind="TIMEOUT") == 2
    assert value(metrics, "arena_move_seconds_count") == record.turns
    metrics.close()


async def test_many_matches_at_once_do_not_pile_up(step: Step) -> None:
    """All are counted, the moves of as many as can be read."""
    record = await asyncio.to_thread(play, setup(2, max_rounds=2))
    outcome: Outcome = Played(record)
    metrics = Metrics()
    for _ in range(50):
        metrics.match_ended(replace(step, outcome=outcome))
    assert metrics._unread == 8
    await settled(metrics)
    assert value(metrics, "arena_match_seconds_count") == 50
    assert value(metrics, "arena_move_seconds_count") == 8 * record.turns
    metrics.close()


async def test_a_match_that_ends_while_the_server_does_is_no_trouble(step: Step) -> None:
    """It is counted, though nobody reads its moves any more."""
    record = await asyncio.to_thread(play, setup(2, max_rounds=2))
    metrics = Metrics()
    metrics.close()
    metrics.match_ended(replace(step, outcome=Played(record)))
    assert value(metrics, "arena_match_seconds_count") == 1
    assert metrics._unread == 0


async def test_what_is_no_replay_is_not_counted(step: Step) -> None:
    """And hurts nobody."""
    record = replace(await asyncio.to_thread(play, setup(2, max_rounds=2)), replay=b"junk")
    metrics = Metrics()
    metrics.match_ended(replace(step, outcome=Played(record)))
    await settled(metrics)
    assert value(metrics, "arena_move_seconds_count") == 0
    metrics.close()


async def test_a_submission_is_counted_by_its_states(store: Store) -> None:
    """As it is published; trouble is no state. Its build is timed, from being checked."""
    now = datetime.now(UTC)
    submission = StoredSubmission(
        id="a" * 16,
        author="ana",
        bot="greedy",
        state=SubmissionState.CHECKED,
        reason="",
        advice=(),
        trouble="",
        digest="",
        archive="",
        log=None,
        version=None,
        created=now,
        updated=now,
    )
    metrics, conductor = Metrics(), QuietConductor(store)
    metrics.follow(conductor)

    def publish(changed: StoredSubmission) -> None:
        conductor.hub.publish(submission_topic(changed.id), changed)

    for state in (SubmissionState.CHECKED, SubmissionState.BUILT, SubmissionState.READY):
        publish(replace(submission, state=state))
    rejected = replace(submission, id="b" * 16)
    for state in (SubmissionState.CHECKED, SubmissionState.REJECTED):
        publish(replace(rejected, trouble="the engine is away"))
        publish(replace(rejected, state=state))
    assert value(metrics, "arena_submissions_total", state="checked") == 2
    assert value(metrics, "arena_submissions_total", state="ready") == 1
    assert value(metrics, "arena_submissions_total", state="rejected") == 1
    assert value(metrics, "arena_build_seconds_count") == 1
    assert not metrics._checked
    metrics.close()


def test_the_page_has_every_metric(store: Store) -> None:
    """None is counted that nobody is told of."""
    metrics = Metrics()
    metrics.follow(QuietConductor(store))
    page = (Path(__file__).parents[3] / "docs" / "10-server.md").read_text()
    told = set(re.findall(r"`(arena_\w+)`", page))
    found = {family.name for family in metrics.registry.collect()}
    assert len(found) > 10
    assert found <= {name.removesuffix("_total") for name in told}
    metrics.close()
