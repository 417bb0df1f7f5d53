"""Plays what is pending of a tournament and records what comes of it.

The store is the only memory: whatever moment a run is stopped at, the next one asks the store
what is pending and goes on.  An attempt that was cut off by the end of a run left nothing behind
and counts as nothing; one that we spoilt while running is recorded as void.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass

from arena.match.record import MatchRecord
from arena.match.setup import Provenance, Timers
from arena.sandbox.api import Limits
from arena.store import MatchAnnulled, Store
from arena.store.records import (
    MatchStatus,
    NewResult,
    Progress,
    SeatFault,
    SeatResult,
    StoredMatch,
    Tournament,
)
from arena.tournament.executor import Executor
from arena.tournament.job import (
    Isolation,
    Lodging,
    MatchJob,
    Outcome,
    Played,
    SeatJob,
    Voided,
    match_seed,
)
from arena.tournament.pondering import Ponder
from arena.tournament.uncut import uncut

#: What a seat's outcome is called where nothing happened to it.
PLAYED = "PLAYED"


@dataclass(frozen=True, slots=True)
class Step:
    """One match of a run has ended: how far the tournament is, and what came of the match."""

    progress: Progress
    match: StoredMatch
    outcome: Outcome


async def _go_on(_: Voided) -> None:
    """Take a void for what it is."""


class Runner:
    """Runs one tournament on an executor."""

    def __init__(
        self,
        store: Store,
        tournament: Tournament,
        seats: Mapping[int, SeatJob],
        executor: Executor,
        *,
        limits: Limits | None = None,
        on_step: Callable[[Step], None] = lambda _: None,
        look_into: Callable[[Voided], Awaitable[None]] = _go_on,
    ) -> None:
        """``seats`` says how each entry, by position, is started; ``on_step`` is called often.

        ``look_into`` is asked before a void is recorded. It raises where nothing can be played at
        all, such as without a container engine: then the attempt counts as nothing and ``run``
        raises the same. Else all matches would be given up, one after the other.
        """
        self._store = store
        self._tournament = tournament
        self._seats = seats
        self._executor = executor
        self._limits = limits or Limits()
        self._on_step = on_step
        self._look_into = look_into
        self._pending: deque[StoredMatch] = deque()
        #: The blocks of which a match is being played.
        self._in_play: set[int] = set()
        self._recording = asyncio.Lock()
        #: How many matches were annulled when we last asked what is pending.
        self._annulled = 0

    async def run(self) -> Progress:
        """Play until nothing is pending.  Raises what the store and the executor raise."""
        tournament_id = self._tournament.id
        # Before what is pending: so no withdrawal is missed.
        self._annulled = (await asyncio.to_thread(self._store.progress, tournament_id)).annulled
        self._pending.extend(await asyncio.to_thread(self._store.pending_matches, tournament_id))
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self._executor.capacity, len(self._pending))):
                    group.create_task(self._play_pending())
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return await asyncio.to_thread(self._store.progress, tournament_id)

    async def _play_pending(self) -> None:
        while (match := self._take()) is not None:
            outcome = await self._executor.play(self._job(match))
            if isinstance(outcome, Voided):
                await self._look_into(outcome)
            # Also when the run is stopped now: what was played is not thrown away.
            await uncut(self._keep(match, outcome))
            self._in_play.discard(match.key.block)

    async def _keep(self, match: StoredMatch, outcome: Outcome) -> None:
        # One at a time, so that progress only ever grows; a database has one writer anyway.
        async with self._recording:
            progress, again = await asyncio.to_thread(self._record, match, outcome)
            self._on_step(Step(progress, match, outcome))
        if again is not None:
            self._pending.append(again)
        if progress.annulled != self._annulled:
            self._annulled = progress.annulled
            await self._drop_annulled()

    async def _drop_annulled(self) -> None:
        """Play nothing more of an entry that was withdrawn meanwhile."""
        left = await asyncio.to_thread(self._store.pending_matches, self._tournament.id)
        wanted = {match.id for match in left}
        self._pending = deque(match for match in self._pending if match.id in wanted)

    def _take(self) -> StoredMatch | None:
        """The next match: the first whose block is not in play, ``None`` if there is no such.

        So no two processes of a bot ever think about equal deals at the same time, when one could
        try to tell the other what it sees.  Who gets ``None`` is not needed any more: whoever plays
        a match of a block goes on with what is left of that.
        """
        for place, match in enumerate(self._pending):
            if match.key.block not in self._in_play:
                del self._pending[place]
                self._in_play.add(match.key.block)
                return match
        return None

    def _job(self, match: StoredMatch) -> MatchJob:
        tournament = self._tournament
        return MatchJob(
            match_id=match.id,
            game=tournament.game,
            options=dict(tournament.options),
            seed=match_seed(tournament.seed, match.key.block),
            seats=tuple(self._seats[entry] for entry in match.seating),
            timers=Timers(**tournament.timers),
            max_faults=tournament.max_faults,
            lodging=Lodging(tournament.sandbox),
            isolation=Isolation(tournament.isolation),
            ponder=Ponder(tournament.ponder),
            limits=self._limits,
        )

    def _record(self, match: StoredMatch, outcome: Outcome) -> tuple[Progress, StoredMatch | None]:
        """Write an outcome down; returns the match, too, if it is to be played again."""
        tournament_id = self._tournament.id
        again = None
        if isinstance(outcome, Played):
            record = outcome.record
            logs = {
                seat: fared.log.encode(errors="replace")
                for seat, fared in enumerate(record.seats)
                if fared.log
            }
            provenance = self._seats[match.seating[0]].provenance
            # It was in play when an entry of it was withdrawn: then nobody needs it.
            with suppress(MatchAnnulled):
                self._store.record_result(
                    tournament_id, _new_result(match, record, provenance), record.replay, logs
                )
        else:
            again = self._record_void(match, outcome)
        return self._store.progress(tournament_id), again

    def _record_void(self, match: StoredMatch, void: Voided) -> StoredMatch | None:
        status = self._store.record_void(
            self._tournament.id,
            match.id,
            match.attempts + 1,
            reason=void.reason.name,
            detail=void.detail,
        )
        if status is not MatchStatus.PENDING:
            return None
        return self._store.match(self._tournament.id, match.id)


def _new_result(
    match: StoredMatch, record: MatchRecord, provenance: Provenance | None
) -> NewResult:
    result = record.result
    return NewResult(
        match_id=match.id,
        reason=result.reason.value,
        rounds=record.rounds,
        turns=record.turns,
        replay_digest=record.digest,
        seats=tuple(
            SeatResult(
                seat=number,
                entry=match.seating[number],
                rank=result.ranks[number],
                total=result.totals[number],
                faults=tuple(
                    SeatFault(fault.round, fault.turn, fault.kind.value) for fault in seat.faults
                ),
                outcome=PLAYED if seat.out is None else seat.out.kind.value,
                detail="played to the end" if seat.out is None else seat.out.detail,
                charged_ms=round(seat.seconds * 1000, 3),
                peak_memory=seat.peak_memory,
                luck=seat.luck,
            )
            for number, seat in enumerate(record.seats)
        ),
        measured={
            "seconds": round(record.seconds, 3),
            "slowest_ms": [round(seat.slowest * 1000, 3) for seat in record.seats],
            "pondered_ms": [
                None if seat.pondered is None else round(seat.pondered * 1000, 3)
                for seat in record.seats
            ],
            "held": [seat.held for seat in record.seats],
            "provenance": None if provenance is None else asdict(provenance),
        },
    )
