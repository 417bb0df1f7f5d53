"""Places of one executor go to those who want matches played by turns, and none is ever lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arena.tournament.broadcast import Broadcast
from arena.tournament.job import MatchJob, Outcome, Voided, VoidReason
from arena.tournament.sharing import InPlay, Lane, Sharing
from tests.unit.tournament.jobs import job


class Stage:
    """Plays what a test lets end, and notes in which order it was begun."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.begun: list[str] = []
        self.most = self.now = 0
        self.go = asyncio.Event()

    async def play(self, job: MatchJob, broadcast: Broadcast | None = None) -> Outcome:
        self.begun.append(job.seats[0].bot)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await self.go.wait()
            await asyncio.sleep(0)
        finally:
            self.now -= 1
        return Voided(job.match_id, VoidReason.SANDBOX, "")


def named(name: str, block: int = 0) -> MatchJob:
    """A job of whoever is called so."""
    return job(Path(name), Path(name), block=block)


def ask(lane: Lane, name: str, times: int) -> list[asyncio.Task[Outcome]]:
    """Want matches played."""
    return [asyncio.create_task(lane.play(named(name, block))) for block in range(times)]


async def test_lanes_take_turns() -> None:
    """Whoever wants much does not hold up those who want little."""
    stage = Stage(1)
    sharing = Sharing(stage)
    large, small = sharing.lane(), sharing.lane()
    tasks = ask(large, "large", 6)
    await asyncio.sleep(0)
    tasks += ask(small, "small", 2)
    await asyncio.sleep(0)
    stage.go.set()
    await asyncio.gather(*tasks)
    assert stage.begun == ["large", "small", "large", "small", "large", "large", "large", "large"]


async def test_a_lane_that_goes_first_goes_first() -> None:
    """As long as it wants something."""
    stage = Stage(1)
    sharing = Sharing(stage)
    others, first = sharing.lane(), sharing.lane(first=True)
    tasks = ask(others, "others", 3)
    await asyncio.sleep(0)
    tasks += ask(first, "first", 3)
    await asyncio.sleep(0)
    stage.go.set()
    await asyncio.gather(*tasks)
    assert stage.begun == ["others", "first", "first", "first", "others", "others"]


async def test_no_more_are_in_play_than_there_are_places() -> None:
    """And no fewer, if enough are wanted."""
    stage = Stage(3)
    sharing = Sharing(stage)
    tasks = ask(sharing.lane(), "one", 5) + ask(sharing.lane(), "two", 5)
    await asyncio.sleep(0.01)
    assert sharing.in_play == stage.now == 3
    stage.go.set()
    await asyncio.gather(*tasks)
    assert (stage.most, sharing.in_play, len(stage.begun)) == (3, 0, 10)


async def test_a_pause_begins_nothing_and_lets_what_runs_end() -> None:
    """Then nothing is in play, until it goes on."""
    stage = Stage(1)
    sharing = Sharing(stage)
    tasks = ask(sharing.lane(), "one", 3)
    await asyncio.sleep(0.01)
    sharing.pause()
    stage.go.set()
    await sharing.idle()
    await asyncio.sleep(0.01)
    assert len(stage.begun) == 1
    sharing.resume()
    await asyncio.gather(*tasks)
    assert len(stage.begun) == 3


@pytest.mark.parametrize("steps", range(4))
async def test_whoever_is_cancelled_gives_his_place_to_the_next(steps: int) -> None:
    """Whether he was waiting for one, had just got one, or played."""
    stage = Stage(1)
    sharing = Sharing(stage)
    lane = sharing.lane()
    playing, waiting, last = ask(lane, "one", 3)
    await asyncio.sleep(0.01)
    playing.cancel()
    for _ in range(steps):
        await asyncio.sleep(0)
    waiting.cancel()
    stage.go.set()
    assert isinstance(await last, Voided)
    assert sharing.in_play == 0
    assert not lane.waiting


async def test_a_lane_knows_what_of_it_is_in_play() -> None:
    """From the first moment to the last, also to whoever is told."""
    stage = Stage(2)
    told: list[tuple[str, str, int]] = []

    def note(what: str, match: InPlay) -> None:
        told.append((what, match.match_id, len(lane.in_play)))

    lane = Sharing(stage).lane(on_change=note)
    tasks = ask(lane, "one", 1)
    await asyncio.sleep(0.01)
    id_ = named("one").match_id
    assert lane.broadcast(id_) is not None
    stage.go.set()
    await asyncio.gather(*tasks)
    assert lane.broadcast(id_) is None
    assert told == [("started", id_, 1), ("played", id_, 0)]
