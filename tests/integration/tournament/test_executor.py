"""Real worker processes: they play, they die, their matches are void and nothing else is hurt."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from arena.match import replay
from arena.match.faults import FaultKind
from arena.match.spectating import public
from arena.match.verify import verify
from arena.sandbox.instance import Instance
from arena.tournament import executor
from arena.tournament.broadcast import Broadcast
from arena.tournament.executor import ExecutorFailed, LocalExecutor
from arena.tournament.job import Lodging, MatchJob, Outcome, Played, Voided, VoidReason
from tests.unit.tournament.jobs import RANDOM_BOT, job, write_bot

# A bot that waits in its first turn for a file, so that a test can act in the middle of a match.
WAITING_BOT = """
import time
from pathlib import Path
from arenabot import ClaimsBot, serve

class Bot(ClaimsBot):
    def turn(self, observation):
        here = Path(__file__).parent
        (here / "thinking").touch()
        while not (here / "go").exists():
            time.sleep(0.01)
        return self.rng.choice(observation.legal_actions())
"""


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[Instance]:
    with Instance.create(tmp_path / "run", "store") as member:
        yield member


def children() -> set[int]:
    """The worker processes of this test's process."""
    return set(
        map(int, Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())
    )


async def until_exists(path: Path) -> None:
    end = time.monotonic() + 30
    while not path.exists():  # noqa: ASYNC240 - a test waits for a file
        assert time.monotonic() < end, f"{path} never came"
        await asyncio.sleep(0.01)


def test_jobs_are_played_and_their_replays_hold(tmp_path: Path, instance: Instance) -> None:
    """On several workers at once, whatever order they end in."""
    bots = [write_bot(tmp_path / name) for name in ("a", "b")]

    async def play() -> list[Outcome]:
        async with LocalExecutor(instance, workers=2) as executor:
            jobs = [job(*bots, block=block) for block in range(8)]
            return await asyncio.gather(*map(executor.play, jobs))

    before = children()
    outcomes = asyncio.run(play())
    assert children() == before
    for block, outcome in enumerate(outcomes):
        assert isinstance(outcome, Played)
        assert outcome.record.match_id == job(*bots, block=block).match_id
        assert verify(list(replay.unpack(outcome.record.replay))).holds


def test_the_matches_of_a_killed_worker_are_void_and_another_takes_its_place(
    tmp_path: Path, instance: Instance
) -> None:
    """Nobody is to blame, and the same match can be played again at once."""
    waiting = write_bot(tmp_path / "waiting", WAITING_BOT)
    bots = (waiting, write_bot(tmp_path / "b"))

    async def play() -> tuple[Outcome, Outcome]:
        before = children()
        async with LocalExecutor(instance, workers=1) as executor:
            match = asyncio.create_task(executor.play(job(*bots)))
            await until_exists(waiting / "thinking")
            (worker,) = children() - before
            os.kill(worker, signal.SIGKILL)
            void = await match
            (waiting / "go").touch()
            return void, await executor.play(job(*bots))

    void, again = asyncio.run(play())
    assert isinstance(void, Voided)
    assert void.reason is VoidReason.WORKER_DIED
    assert "SIGKILL" in void.detail
    assert isinstance(again, Played)


def test_a_job_that_comes_right_after_a_worker_died_waits_for_the_next_one(
    tmp_path: Path, instance: Instance
) -> None:
    """Also where there was only one."""
    bots = (write_bot(tmp_path / "a"), write_bot(tmp_path / "b"))

    async def play() -> list[Outcome]:
        before = children()
        async with LocalExecutor(instance, workers=1) as executor:
            (worker,) = children() - before
            os.kill(worker, signal.SIGKILL)
            await asyncio.sleep(0.05)
            return await asyncio.gather(
                *(executor.play(job(*bots, block=block)) for block in range(3))
            )

    # What was sent into the dead worker's pipe is void; nothing fails.
    assert all(isinstance(outcome, Played | Voided) for outcome in asyncio.run(play()))


def test_workers_that_cannot_start_are_an_error_and_no_endless_loop(
    tmp_path: Path, instance: Instance
) -> None:
    """The run has ended, so no worker can join it."""
    instance.close()

    async def play() -> None:
        async with LocalExecutor(instance, workers=1) as executor:
            await executor.play(job(tmp_path, tmp_path))

    with pytest.raises(ExecutorFailed, match="does not start"):
        asyncio.run(play())


@pytest.mark.parametrize("started", [0, 1])
def test_workers_end_also_if_they_are_not_wanted_before_all_have_started(
    instance: Instance, started: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is stopped while workers start leaves none behind, and closes all pipes."""
    starting: list[object] = []
    ready: list[object] = []
    reached = asyncio.Event()

    async def says_ready(process: asyncio.subprocess.Process) -> bool:
        starting.append(process)
        first = len(starting) <= started
        if first:
            ready.append(await really(process))
        if (len(starting), len(ready)) == (3, started):
            reached.set()
        return first or await asyncio.Event().wait()

    really = executor._says_ready
    monkeypatch.setattr(executor, "_says_ready", says_ready)

    async def play() -> None:
        async with LocalExecutor(instance, workers=3):
            pytest.fail("it was stopped before")

    async def stop() -> None:
        playing = asyncio.create_task(play())
        await reached.wait()
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing

    before = children()
    asyncio.run(stop())
    assert children() == before


def test_a_defect_of_ours_is_a_void_with_its_name(tmp_path: Path, instance: Instance) -> None:
    """Never a bot's fault: here the job names a bot that is not there."""

    async def play() -> Outcome:
        async with LocalExecutor(instance, workers=1) as executor:
            return await executor.play(job(tmp_path / "gone", tmp_path / "gone"))

    outcome = asyncio.run(play())
    assert isinstance(outcome, Voided)
    assert outcome.reason is VoidReason.INTERNAL
    assert "NoBotFound" in outcome.detail


def test_a_bot_that_prints_cannot_spoil_what_its_worker_says(
    tmp_path: Path, instance: Instance
) -> None:
    """Its standard output is not the worker's pipe."""
    loud = RANDOM_BOT.replace("return", "print('noise' * 100, flush=True); return")
    bots = (write_bot(tmp_path / "loud", loud), write_bot(tmp_path / "b"))

    async def play() -> Outcome:
        async with LocalExecutor(instance, workers=1) as executor:
            return await executor.play(job(*bots))

    assert isinstance(asyncio.run(play()), Played)


def test_whatever_a_bot_says_can_be_carried(tmp_path: Path, instance: Instance) -> None:
    """Half a character in an error of its own costs it the match, and us nothing."""
    odd = RANDOM_BOT.replace("return", "raise ValueError(chr(0xDCFF) + chr(0) + chr(27)); return")
    bots = (write_bot(tmp_path / "odd", odd), write_bot(tmp_path / "b"))

    async def play() -> Outcome:
        async with LocalExecutor(instance, workers=1) as executor:
            return await executor.play(job(*bots))

    outcome = asyncio.run(play())
    assert isinstance(outcome, Played)
    out = outcome.record.seats[0].out
    assert out is not None
    assert out.kind is FaultKind.CRASHED


def test_a_stopped_match_has_ended_when_its_cancellation_has(
    tmp_path: Path, instance: Instance
) -> None:
    """Its place and its deals are free again, and the worker and its other match go on."""
    waiting = write_bot(tmp_path / "waiting", WAITING_BOT + "\nserve(Bot)\n")
    other = write_bot(tmp_path / "other", RANDOM_BOT)

    def in_processes(*folders: Path, block: int = 0) -> MatchJob:
        wanted = job(*folders, block=block, lodging=Lodging.PROCESS)
        seats = tuple(replace(seat, command=(sys.executable, "bot.py")) for seat in wanted.seats)
        return replace(wanted, seats=seats)

    async def play() -> list[Outcome]:
        before = children()
        async with LocalExecutor(instance, workers=1) as executor:
            match = asyncio.create_task(executor.play(in_processes(waiting, waiting)))
            await until_exists(waiting / "thinking")
            beside = asyncio.create_task(executor.play(in_processes(other, other, block=1)))
            (worker,) = children() - before
            match.cancel()
            await asyncio.wait({match})
            bots = [line for line in processes() if str(waiting) in line]
            assert bots == []
            (waiting / "go").touch()
            outcomes = [await beside, await executor.play(in_processes(waiting, waiting))]
            assert children() - before == {worker}
            return outcomes

    assert all(isinstance(outcome, Played) for outcome in asyncio.run(play()))


def processes() -> list[str]:
    """The working folders of all processes that can be seen."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found.append(str((process / "cwd").readlink()))
    return found


def test_a_match_is_shown_to_who_watches_as_its_replay_will_tell_it(
    tmp_path: Path, instance: Instance
) -> None:
    """Less what is hidden; nobody watches the other match, and nothing of it is sent."""
    waiting = write_bot(tmp_path / "waiting", WAITING_BOT + "\nserve(Bot)\n")
    wanted = job(waiting, waiting, lodging=Lodging.PROCESS)
    seats = tuple(replace(seat, command=(sys.executable, "bot.py")) for seat in wanted.seats)
    wanted = replace(wanted, seats=seats)
    beside = replace(wanted, match_id="beside", seed=bytes(32))

    async def play() -> tuple[list[replay.Line], Outcome]:
        shown, silent = Broadcast(), Broadcast()
        async with LocalExecutor(instance, workers=1) as executor:
            match = asyncio.create_task(executor.play(wanted, shown))
            other = asyncio.create_task(executor.play(beside, silent))
            await until_exists(waiting / "thinking")
            seen: list[replay.Line] = []
            async for line in shown.watch():
                if not seen:
                    (waiting / "go").touch()
                seen.append(line)
            await other
            assert silent._lines == []
            return seen, await match

    seen, outcome = asyncio.run(play())
    assert isinstance(outcome, Played)
    lines = list(replay.unpack(outcome.record.replay))
    assert seen == [shown for line in lines if (shown := public(line)) is not None]


def test_leaving_the_executor_ends_workers_in_the_middle_of_a_match(
    tmp_path: Path, instance: Instance
) -> None:
    """Ctrl-C does not wait for a bot that thinks."""
    waiting = write_bot(tmp_path / "waiting", WAITING_BOT)
    served = write_bot(tmp_path / "waiting", WAITING_BOT + "\nserve(Bot)\n")

    async def play() -> None:
        wanted: MatchJob = job(served, served)
        seats = tuple(replace(seat, command=(sys.executable, "bot.py")) for seat in wanted.seats)
        wanted = replace(wanted, lodging=Lodging.PROCESS, seats=seats)
        async with LocalExecutor(instance, workers=1) as executor:
            match = asyncio.create_task(executor.play(wanted))
            await until_exists(waiting / "thinking")
            match.cancel()
            began = time.monotonic()
        assert time.monotonic() - began < 8

    before = children()
    asyncio.run(play())
    assert children() == before


def test_a_worker_that_does_not_stop_is_killed_and_leaves_nothing_behind(
    tmp_path: Path, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its bots had is removed before the run is left, not only by the next one."""
    monkeypatch.setattr("arena.tournament.executor._GRACE", 1.0)
    waiting = write_bot(tmp_path / "waiting", WAITING_BOT)
    served = write_bot(tmp_path / "waiting", WAITING_BOT + "\nserve(Bot)\n")

    async def play() -> None:
        wanted: MatchJob = job(served, served)
        seats = tuple(replace(seat, command=(sys.executable, "bot.py")) for seat in wanted.seats)
        wanted = replace(wanted, lodging=Lodging.PROCESS, seats=seats)
        before = children()
        async with LocalExecutor(instance, workers=1) as executor:
            match = asyncio.create_task(executor.play(wanted))
            await until_exists(waiting / "thinking")
            (worker,) = children() - before
            os.kill(worker, signal.SIGSTOP)
        assert isinstance(await match, Voided)

    asyncio.run(play())
    instance.close()
    assert list((tmp_path / "run").iterdir()) == []
