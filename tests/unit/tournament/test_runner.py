"""The runner records what happens once, plays what is pending, and goes on where it was stopped."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from arena.match.play import play_match
from arena.store import (
    BotVersion,
    MatchKey,
    MatchStatus,
    NewMatch,
    NewTournament,
    NewVersion,
    Progress,
    Store,
    Tournament,
    TournamentState,
)
from arena.tournament.job import (
    MatchJob,
    Outcome,
    Played,
    SeatJob,
    Voided,
    VoidReason,
    match_id,
)
from arena.tournament.runner import Runner, Step
from tests.unit.match.scripted import Scripted
from tests.unit.tournament.jobs import SEED

BLOCKS = 4


class FakeExecutor:
    """Plays jobs in this process with random players, in any order; a test says what is void."""

    def __init__(
        self,
        *,
        spoil: Callable[[MatchJob, int], bool] = lambda *_: False,
        stop_after: int | None = None,
        shuffle: int = 0,
    ) -> None:
        self.capacity = 3
        self.attempts: dict[str, int] = {}
        self._spoil = spoil
        self._left = stop_after
        self._random = random.Random(shuffle)

    async def play(self, job: MatchJob) -> Outcome:
        self.attempts[job.match_id] = attempt = self.attempts.get(job.match_id, 0) + 1
        for _ in range(self._random.randrange(5)):
            await asyncio.sleep(0)
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise KeyboardInterrupt
        if self._spoil(job, attempt):
            return Voided(job.match_id, VoidReason.SANDBOX, "the engine was gone")
        return Played(await play_match(job.setup(), [Scripted() for _ in job.seats]))


def versions(store: Store) -> list[BotVersion]:
    return [
        store.add_version(
            NewVersion(name, "ana", None, f"{at:064x}", ("claims",), "python", "bot.py"), b"x"
        )
        for at, name in enumerate(("one", "two"))
    ]


def create(store: Store, name: str = "cup") -> Tournament:
    return store.create_tournament(
        NewTournament(
            name=name,
            game="claims",
            options={"target": 150, "max_rounds": 1},
            table_size=2,
            blocks=BLOCKS,
            seed=SEED,
            timers={"turn": 20.0, "ready": 60.0, "start": 10.0, "budget": 600.0},
            max_faults=10,
            sandbox="process",
            isolation="match",
            engine="1.0",
        ),
        versions(store),
        [
            NewMatch(MatchKey(block, rotation), match_id(SEED, block, rotation), seating)
            for block in range(BLOCKS)
            for rotation, seating in enumerate([(0, 1), (1, 0)])
        ],
    )


SEATS = {at: SeatJob(name, "1", "ab" * 32, "/bot", ("python3",)) for at, name in enumerate("ab")}


def run(
    store: Store, tournament: Tournament, executor: FakeExecutor, steps: list[Step] | None = None
) -> Progress:
    runner = Runner(
        store, tournament, SEATS, executor, on_step=(steps if steps is not None else []).append
    )
    return asyncio.run(runner.run())


def digests(store: Store, tournament: Tournament) -> list[tuple[str, str]]:
    return [(result.match_id, result.replay_digest) for result in store.results(tournament.id)]


def test_every_match_is_played_once_and_recorded_with_its_replay(store: Store) -> None:
    """And each step tells how far the tournament is."""
    tournament, executor = create(store), FakeExecutor()
    steps: list[Step] = []
    progress = run(store, tournament, executor, steps)
    assert progress.state is TournamentState.FINISHED
    assert (progress.done, progress.holes, progress.voids) == (2 * BLOCKS, 0, 0)
    assert set(executor.attempts.values()) == {1}
    assert [step.progress.done for step in steps] == list(range(1, 2 * BLOCKS + 1))
    for result in store.results(tournament.id):
        assert store.blob(result.replay)
        assert all(seat.luck for seat in result.seats)


def test_results_are_the_same_in_whatever_order_they_arrive(store: Store) -> None:
    """Schedule order, equal digests."""
    first = create(store)
    run(store, first, FakeExecutor(shuffle=1))
    second = create(store, "again")
    run(store, second, FakeExecutor(shuffle=2))
    assert digests(store, first) == digests(store, second)


@pytest.mark.parametrize("stop", range(2 * BLOCKS + 1))
def test_a_run_stopped_anywhere_is_gone_on_with(store: Store, stop: int) -> None:
    """What was recorded is not played again, and it all ends as if undisturbed."""
    undisturbed = create(store)
    run(store, undisturbed, FakeExecutor())
    tournament = create(store, "stopped")
    if stop < 2 * BLOCKS:
        with pytest.raises(BaseException):  # noqa: B017, PT011 - however it comes out
            run(store, tournament, FakeExecutor(stop_after=stop, shuffle=stop))
    done = {result.match_id for result in store.results(tournament.id)}
    executor = FakeExecutor(shuffle=9)
    assert run(store, tournament, executor).state is TournamentState.FINISHED
    assert not done & set(executor.attempts)
    assert digests(store, tournament) == digests(store, undisturbed)


def test_a_void_match_is_played_again_and_counts_as_nothing(store: Store) -> None:
    """The results are those of an undisturbed run."""
    undisturbed = create(store)
    run(store, undisturbed, FakeExecutor())
    tournament = create(store, "void")
    executor = FakeExecutor(spoil=lambda _, attempt: attempt < 3)
    progress = run(store, tournament, executor)
    assert (progress.done, progress.holes, progress.voids) == (2 * BLOCKS, 0, 4 * BLOCKS)
    assert digests(store, tournament) == digests(store, undisturbed)


def test_a_match_void_three_times_is_a_hole_and_its_block_is_not_rated(store: Store) -> None:
    """The rest of the tournament goes on."""
    tournament = create(store)
    lost = match_id(SEED, 2, 1)
    progress = run(store, tournament, FakeExecutor(spoil=lambda job, _: job.match_id == lost))
    assert progress.state is TournamentState.FINISHED
    assert (progress.done, progress.holes, progress.voids) == (2 * BLOCKS - 1, 1, 3)
    assert store.match(tournament.id, lost).status is MatchStatus.HOLE
    assert store.hole_blocks(tournament.id) == {2}
    assert {result.key.block for result in store.rated_results(tournament.id)} == {0, 1, 3}


def test_both_matches_of_a_block_are_played_on_equal_deals(store: Store) -> None:
    """And no two blocks are."""
    seeds: dict[int, set[bytes]] = {}

    class Noting(FakeExecutor):
        async def play(self, job: MatchJob) -> Outcome:
            block = next(
                b for b in range(BLOCKS) for r in (0, 1) if match_id(SEED, b, r) == job.match_id
            )
            seeds.setdefault(block, set()).add(job.seed)
            return await super().play(job)

    run(store, create(store), Noting())
    assert [len(of_block) for of_block in seeds.values()] == [1] * BLOCKS
    assert len(set.union(*seeds.values())) == BLOCKS


@pytest.mark.parametrize("shuffle", range(5))
def test_no_two_matches_of_a_block_are_in_play_at_once_and_no_place_is_idle_for_it(
    store: Store, shuffle: int
) -> None:
    """Also when matches are void; while other blocks are left, all places play."""
    block_of = {match_id(SEED, block, at): block for block in range(BLOCKS) for at in (0, 1)}
    in_play: list[int] = []
    most = 0

    class Watching(FakeExecutor):
        async def play(self, job: MatchJob) -> Outcome:
            nonlocal most
            block = block_of[job.match_id]
            assert block not in in_play
            in_play.append(block)
            most = max(most, len(in_play))
            await asyncio.sleep(0)
            try:
                return await super().play(job)
            finally:
                in_play.remove(block)

    executor = Watching(shuffle=shuffle, spoil=lambda _, attempt: attempt < 2)
    progress = run(store, create(store), executor)
    assert (progress.done, progress.voids) == (2 * BLOCKS, 2 * BLOCKS)
    assert most == executor.capacity


class CannotPlay(Exception):
    """What looking into a void may find."""


def test_where_nothing_can_be_played_no_match_is_given_up(store: Store) -> None:
    """The run ends with the reason, no attempt counts, and a later run goes on."""
    tournament = create(store)

    async def look_into(void: Voided) -> None:
        raise CannotPlay(void.detail)

    runner = Runner(
        store, tournament, SEATS, FakeExecutor(spoil=lambda *_: True), look_into=look_into
    )
    with pytest.raises(CannotPlay, match="the engine was gone"):
        asyncio.run(runner.run())
    assert store.progress(tournament.id).voids == 0
    assert run(store, tournament, FakeExecutor()).done == 2 * BLOCKS


def test_what_was_played_is_kept_when_the_run_is_stopped_just_then(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result that is being recorded is recorded, and its step is told."""
    tournament = create(store)
    steps: list[Step] = []
    recording = threading.Event()
    record = store.record_result

    def slowly(*told: Any, **named: Any) -> Any:
        recording.set()
        time.sleep(0.2)
        return record(*told, **named)

    monkeypatch.setattr(store, "record_result", slowly)

    async def stopped() -> None:
        runner = Runner(store, tournament, SEATS, FakeExecutor(), on_step=steps.append)
        running = asyncio.create_task(runner.run())
        await asyncio.to_thread(recording.wait)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(stopped())
    assert store.progress(tournament.id).done == len(steps) >= 1
