"""What becomes of a bot in a container, as its author reads it: where, why, and what it printed."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.app.bots import contestants, lodging
from arena.match.faults import FaultKind
from arena.match.record import MatchRecord
from arena.sandbox.api import Limits
from arena.sandbox.instance import Instance
from arena.store import Store
from arena.tournament.job import (
    Isolation,
    Lodging,
    MatchJob,
    Played,
    Voided,
    VoidReason,
)
from arena.tournament.worker import Worker
from tests.unit.tournament.jobs import RANDOM_BOT, job

pytestmark = [pytest.mark.docker, pytest.mark.timeout(300)]

SAYING = """
import os, sys
from arenabot import ClaimsBot, serve

print("-- round 9, turn 9", flush=True)

class Bot(ClaimsBot):
    def turn(self, observation):
        print(f"I am at {observation.round}, {observation.turn}", flush=True)
        if observation.round == 2:
            DOOM
        return self.rng.choice(observation.legal_actions())

serve(Bot)
"""
HOG = "kept = [bytearray(1 << 20) for _ in range(1000)]"
CHILD = """
            if not os.path.exists("/tmp/died"):
                if os.fork() == 0:
                    kept = [bytearray(1 << 20) for _ in range(1000)]
                os.wait()
                open("/tmp/died", "x").close()
"""
"""Once a match: the kernel may kill the parent as well, if that wants memory while a child dies
and what it had is not free yet; of some 5,000 such deaths three took the parent along."""
EXIT = "os._exit(7)"


def play(
    store: Store,
    member: Instance,
    folder: Path,
    code: str,
    isolation: Isolation = Isolation.MATCH,
) -> list[MatchRecord]:
    """Three matches of this code against a bot that plays at random, one after the other."""
    seats = []
    for name, text in (("tried", code), ("other", RANDOM_BOT)):
        (folder / name).mkdir()
        (folder / name / "bot.py").write_text(text)
        (folder / name / "bot.toml").write_text(f'name = "{name}"\ngame = "claims"\n')
        seats.append(contestants.from_path(folder / name))
    ready = lodging.prepare(store, member, seats, lodging=Lodging.DOCKER, game="claims")
    jobs = [
        replace(
            job(folder, block=block, lodging=Lodging.DOCKER),
            seats=tuple(ready),
            limits=Limits(memory_mib=64),
            isolation=isolation,
        )
        for block in range(3)
    ]
    return asyncio.run(_play(member, jobs))


async def _play(member: Instance, jobs: list[MatchJob]) -> list[MatchRecord]:
    worker = Worker(member)
    try:
        return [await _play_one(worker, each) for each in jobs]
    finally:
        await worker.close()


async def _play_one(worker: Worker, job: MatchJob) -> MatchRecord:
    """Play it again, as a tournament does, if this machine stood still meanwhile."""
    for _ in range(3):
        outcome = await worker.play(job)
        if not (isinstance(outcome, Voided) and outcome.reason is VoidReason.STALLED):
            break
    assert isinstance(outcome, Played), outcome
    return outcome.record


def marks(log: str) -> list[str]:
    """The lines of the arena's own."""
    return [line.removeprefix("\x1e-- ") for line in log.split("\n") if line.startswith("\x1e")]


@pytest.mark.usefixtures("image")
def test_out_of_memory_is_told_with_numbers_and_place(
    store: Store, member: Instance, tmp_path: Path
) -> None:
    """And the next matches, whose containers are new, fare the same; the opponent is untouched."""
    for record in play(store, member, tmp_path, SAYING.replace("DOOM", HOG)):
        tried, other = record.seats
        assert tried.out is not None
        assert tried.out.kind is FaultKind.OUT_OF_MEMORY
        where = re.fullmatch(
            r"used 64 MiB of 64 MiB and was stopped in (round 2, turn \d+)", tried.out.detail
        )
        assert where is not None
        assert tried.peak_memory == 64 << 20
        assert marks(tried.log)[-1] == where[1]
        assert (other.out, other.faults) == (None, ())


@pytest.mark.usefixtures("image")
def test_a_childs_death_by_memory_lets_the_match_go_on(
    store: Store, member: Instance, tmp_path: Path
) -> None:
    """Its parent plays to the end, without a fault."""
    for record in play(store, member, tmp_path, SAYING.replace("DOOM", CHILD.strip())):
        assert all(seat.out is None and not seat.faults for seat in record.seats)


@pytest.mark.usefixtures("image")
@pytest.mark.parametrize("isolation", [Isolation.MATCH, Isolation.CONTAINER])
def test_a_crash_is_told_with_its_code_and_place(
    store: Store, member: Instance, tmp_path: Path, isolation: Isolation
) -> None:
    """In a process of its own as in a container of its own."""
    for record in play(store, member, tmp_path, SAYING.replace("DOOM", EXIT), isolation):
        tried = record.seats[0]
        assert tried.out is not None
        assert tried.out.kind is FaultKind.CRASHED
        assert re.fullmatch(
            r"ended by itself with exit code 7 in round 2, turn \d+", tried.out.detail
        )


@pytest.mark.usefixtures("image")
def test_a_log_is_marked_with_match_round_and_turn(
    store: Store, member: Instance, tmp_path: Path
) -> None:
    """What is printed in a turn stands below it, and what looks like a mark is none."""
    for record in play(store, member, tmp_path, SAYING.replace("DOOM", "pass")):
        log = record.seats[0].log
        assert "\n-- round 9, turn 9\n" in f"\n{log}"
        places = [mark for mark in marks(log) if mark.startswith("round ")]
        assert places[0].startswith("round 1, turn ")
        said = [
            "round {}, turn {}".format(*found) for found in re.findall(r"I am at (\d+), (\d+)", log)
        ]
        assert [place for place in places if place in said] == said
        for place in said:
            number = place.removeprefix("round ").replace(" turn ", " ")
            assert f"\x1e-- {place}\nI am at {number}\n" in log
