"""What is counted, in the words of Prometheus: calls, matches, moves, submissions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from arena.app.conducting.conductor import Conductor
from arena.match.replay import DECISION_LINES, ReplayError, unpack
from arena.store import Store, StoredSubmission, StoreError, SubmissionState
from arena.tournament.job import Played
from arena.tournament.runner import Step

_MOST_UNREAD: Final = 8
"""How many replays may wait for their moves to be counted; of more, no moves are counted."""

_GAUGES: Final = {
    "arena_matches_in_play": ("Matches in play.", "matches_in_play"),
    "arena_submissions_waiting": (
        "Submissions that are neither ready nor rejected.",
        "submissions_waiting",
    ),
    "arena_tournaments_wanted": ("Tournaments that are to be played.", "tournaments_wanted"),
    "arena_tournaments_in_trouble": (
        "Those of them that can't be played on at this moment.",
        "tournaments_in_trouble",
    ),
    "arena_people_playing": (
        "Matches of people that are made ready or played, beside all others.",
        "people_playing",
    ),
}
"""What is told of a conductor's status: meaning and field by name."""


class Metrics:
    """One server's counters, in a registry of their own. From the event loop's thread only."""

    def __init__(self) -> None:
        """Count from 0."""
        self.registry = CollectorRegistry()
        self.calls = self._counter(
            "arena_calls_total",
            "Calls by method and the status that they ended with.",
            "method",
            "code",
        )
        self.call_seconds = self._histogram(
            "arena_call_seconds",
            "How long calls took; streams until they ended.",
            (0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600),
            "method",
        )
        self._matches = self._counter(
            "arena_matches_total",
            "Matches of tournaments that were played to their end, by how they ended.",
            "outcome",
        )
        self._voids = self._counter(
            "arena_voids_total", "Attempts at matches that the arena spoilt, by reason.", "reason"
        )
        self._faults = self._counter("arena_faults_total", "What bots did wrong, by kind.", "kind")
        self._match_seconds = self._histogram(
            "arena_match_seconds",
            "How long matches took on the clock.",
            (0.5, 1, 2, 5, 10, 30, 60, 300, 1800),
        )
        self._move_seconds = self._histogram(
            "arena_move_seconds",
            "What bots were charged for a move.",
            (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 20),
        )
        self._submissions = self._counter(
            "arena_submissions_total", "Submissions that came to a state.", "state"
        )
        self._build_seconds = self._histogram(
            "arena_build_seconds",
            "How long checked submissions took until they were built.",
            (0.5, 1, 2, 5, 10, 30, 60, 300),
        )
        self._pending = Gauge(
            "arena_matches_pending",
            "Matches that are scheduled and to be played by this server.",
            registry=self.registry,
        )
        self._conductor: Conductor | None = None
        self._reading = ThreadPoolExecutor(1, "replay metrics")
        self._unread = 0
        self._closed = False
        #: By submission: when it was checked, on the monotonic clock.
        self._checked: dict[str, float] = {}

    def follow(self, conductor: Conductor) -> None:
        """Count what it does from now on."""
        self._conductor = conductor
        conductor.on_step.append(self.match_ended)
        conductor.hub.overhear.append(self._heard)
        for name, (told, figure) in _GAUGES.items():
            gauge = Gauge(name, told, registry=self.registry)
            gauge.set_function(partial(_of, conductor, figure))

    async def page(self, store: Store) -> bytes:
        """Everything, as Prometheus reads it."""
        wanted = self._conductor.wanted if self._conductor else ()
        with suppress(StoreError):  # then the figure is an older one, and readyz tells
            self._pending.set(await asyncio.to_thread(_matches_pending, store, wanted))
        return generate_latest(self.registry)

    def match_ended(self, step: Step) -> None:
        """Count a match that was played or spoilt."""
        outcome = step.outcome
        if not isinstance(outcome, Played):
            self._voids.labels(outcome.reason.name).inc()
            return
        record = outcome.record
        self._matches.labels(record.result.reason.value).inc()
        self._match_seconds.observe(record.seconds)
        for seat in record.seats:
            for fault in seat.faults:
                self._faults.labels(fault.kind.name).inc()
        # Matches may still end while the server does.
        if self._unread < _MOST_UNREAD and not self._closed:
            self._unread += 1
            moves = asyncio.get_running_loop().run_in_executor(
                self._reading, _move_seconds, record.replay
            )
            moves.add_done_callback(self._count_moves)

    def _count_moves(self, moves: asyncio.Future[list[float]]) -> None:
        self._unread -= 1
        if not moves.cancelled():
            for seconds in moves.result():
                self._move_seconds.observe(seconds)

    def _heard(self, news: object) -> None:
        if isinstance(news, StoredSubmission):
            self.submission_changed(news)

    def submission_changed(self, submission: StoredSubmission) -> None:
        """Count a submission that has come to a state, or to trouble in it."""
        state = submission.state
        if submission.trouble:
            return
        self._submissions.labels(state.value).inc()
        if state is SubmissionState.CHECKED:
            self._checked[submission.id] = time.monotonic()
        elif (began := self._checked.pop(submission.id, None)) is not None and (
            state is SubmissionState.BUILT
        ):
            self._build_seconds.observe(time.monotonic() - began)

    def close(self) -> None:
        """Read no more replays."""
        self._closed = True
        self._reading.shutdown(wait=False, cancel_futures=True)

    def _counter(self, name: str, told: str, *labels: str) -> Counter:
        return Counter(name, told, labels, registry=self.registry)

    def _histogram(
        self, name: str, told: str, buckets: tuple[float, ...], *labels: str
    ) -> Histogram:
        return Histogram(name, told, labels, buckets=buckets, registry=self.registry)


def _of(conductor: Conductor, figure: str) -> float:
    return float(getattr(conductor.status(), figure))


def _matches_pending(store: Store, tournaments: Sequence[int]) -> int:
    return sum(store.progress(id_).pending for id_ in tournaments)


def _move_seconds(replay: bytes) -> list[float]:
    """What each decision of a match was charged."""
    with suppress(ReplayError):
        return [
            line["measured"]["charged_ms"] / 1000
            for line in unpack(replay)
            if line["type"] in DECISION_LINES and "measured" in line
        ]
    return []
