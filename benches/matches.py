"""Matches a minute of four greedy bots through the whole arena, beside the bare echo floor.

The floor is what gRPC alone can do on this machine: on each core a caller and its echo servers
exchange messages as large as a match's, 630 of them counted as a match.  Beside it the same
number of match workers play real matches, once with warm bots and once with fresh ones; in
containers if an engine answers, else in processes.  Last, how long `arena tournament run` takes
to its first result.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from arena.app.bots import contestants, lodging
from arena.app.bots.samples import sample_bot
from arena.app.home import instance, open_store
from arena.sandbox.instance import Instance
from arena.store import Store
from arena.tournament.executor import LocalExecutor
from arena.tournament.job import (
    Isolation,
    Lodging,
    MatchJob,
    Played,
    SeatJob,
    match_id,
    match_seed,
)
from benches._bots import ECHO, listening
from benches._harness import Row, Table, by_turns, rows

_ROUNDS = 5
_MOVES = 630
_SEED = bytes(32)
_SEATS = 4
#: Matches of one sample.
_WARM, _FRESH = 24, 8
#: What a move's messages weigh on average (see the bench `move`).
_SIZES = [(60, 20)] * _MOVES


class _Floor:
    """On each core a caller with four echo servers."""

    def __init__(self, stack: ExitStack) -> None:
        self._callers = [self._caller(stack) for _ in range(LocalExecutor.default_workers())]

    @staticmethod
    def _caller(stack: ExitStack) -> subprocess.Popen[str]:
        servers = stack.enter_context(listening([ECHO] * _SEATS))
        command = [sys.executable, "-m", "benches._callers", "echo"]
        caller = subprocess.Popen(
            [*command, *(server.address for server in servers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        stack.callback(caller.communicate)
        stack.callback(caller.kill)
        return caller

    def __call__(self) -> float:
        began = time.perf_counter()
        for _ in range(4):
            for caller in self._callers:
                assert caller.stdin is not None
                caller.stdin.write(json.dumps(_SIZES) + "\n")
                caller.stdin.flush()
            for caller in self._callers:
                assert caller.stdout is not None
                caller.stdout.readline()
        return 4 * len(self._callers) / (time.perf_counter() - began) * 60


class _Arena:
    """Matches of four greedy bots on the match workers; each call plays new deals."""

    def __init__(self, runner: asyncio.Runner, executor: LocalExecutor, job: MatchJob) -> None:
        self._runner = runner
        self._executor = executor
        self._job = job
        self._block = 0
        self.turns: list[int] = []

    def __call__(self) -> float:
        count = _WARM if self._job.isolation is Isolation.WARM else _FRESH
        began = time.perf_counter()
        turns = self._runner.run(self._play(count))
        took = time.perf_counter() - began
        self.turns += turns
        # In matches of 630 moves, so that long and short ones count alike.
        return sum(turns) / _MOVES / took * 60

    async def _play(self, count: int) -> list[int]:
        jobs = []
        for _ in range(count):
            self._block += 1
            seed, name = match_seed(_SEED, self._block), match_id(_SEED, self._block, 0)
            jobs.append(replace(self._job, seed=seed, match_id=name))
        outcomes = await asyncio.gather(*map(self._executor.play, jobs))
        for outcome in outcomes:
            if not isinstance(outcome, Played):
                raise RuntimeError(f"a match of the bench was void: {outcome.detail}")
            for seat in outcome.record.seats:
                if seat.out is not None:
                    raise RuntimeError(f"a bot of the bench failed: {seat.out.detail}")
        return [outcome.record.turns for outcome in outcomes if isinstance(outcome, Played)]


def bench() -> Iterator[Table]:
    """Matches a minute, then the time to the first result."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-arena-")))
        store = stack.enter_context(open_store(home))
        member = stack.enter_context(instance(store, containers=True))
        choice = lodging.choose(member, lambda text: print(text, file=sys.stderr))
        yield _throughput(store, member, choice.lodging)
    yield _first_result(choice.lodging)


def _throughput(store: Store, member: Instance, lodged: Lodging) -> Table:
    greedy = contestants.find_all(store, [str(sample_bot("greedy"))] * _SEATS, "claims")
    seats = lodging.prepare(
        store, member, greedy, lodging=lodged, game="claims", tell=lambda _: None
    )
    with ExitStack() as stack:
        runner = stack.enter_context(asyncio.Runner())
        executor = LocalExecutor(member)
        runner.run(executor.__aenter__())
        stack.callback(lambda: runner.run(executor.__aexit__()))
        played = {
            isolation: _Arena(runner, executor, _job(seats, lodged, isolation))
            for isolation in Isolation
        }
        sides: dict[str, Callable[[], float]] = {
            "bare echo floor": _Floor(stack),
            "warm": played[Isolation.WARM],
            "fresh for each match": played[Isolation.MATCH],
        }
        samples = by_turns(sides, _ROUNDS)
    turns = played[Isolation.WARM].turns
    return Table(
        f"four greedy bots in {lodged.value}, {executor.capacity} matches at a time",
        "matches/min",
        rows(samples),
        f"{_MOVES} moves are a match; these had {sum(turns) / len(turns):.0f} on average",
    )


def _job(seats: list[SeatJob], lodged: Lodging, isolation: Isolation) -> MatchJob:
    return MatchJob(
        match_id="",
        game="claims",
        options={},
        seed=_SEED,
        seats=tuple(seats),
        lodging=lodged,
        isolation=isolation,
    )


def _first_result(lodged: Lodging) -> Table:
    """From the command to the first recorded result, base image and bots' images in place."""
    arena = [sys.executable, "-P", "-c", "from arena.cli.entry import main; main()"]
    bots = [str(sample_bot(name)) for name in ("random", "greedy")]
    samples = []
    with tempfile.TemporaryDirectory(prefix="bench-arena-") as home:
        told = {**os.environ, "ARENA_HOME": home}
        for number in range(_ROUNDS + 1):
            name = f"first-{number}"
            create = ["tournament", "create", name, "--game", "claims", "--bots", *bots]
            setting = ["--blocks", "1", "--sandbox", lodged.value, "--trusted"]
            quiet = {"env": told, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            subprocess.run([*arena, *create, *setting], check=True, **quiet)  # type: ignore[call-overload]
            began = time.perf_counter()
            with (
                subprocess.Popen([*arena, "tournament", "run", name], **quiet) as run,  # type: ignore[call-overload]
                open_store(Path(home)) as store,
            ):
                tournament = store.tournament(name)
                while not store.progress(tournament.id).done:
                    if run.poll() not in (None, 0):
                        raise RuntimeError(f"the run ended with {run.returncode}")
                    time.sleep(0.005)
                samples.append(time.perf_counter() - began)
    samples = sorted(samples[1:])
    return Table(
        f"from `arena tournament run` to the first result, in {lodged.value}",
        "s",
        [Row("two bots, one match", samples[len(samples) // 2], len(samples))],
    )
