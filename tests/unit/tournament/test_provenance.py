"""With what a match was played is told by its replay and its result, and changes neither digest."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from arena.match import replay
from arena.match.play import play_match
from arena.match.setup import Provenance
from arena.match.verify import verify
from arena.store import Store, StoredResult
from arena.store.testing import make_tournament
from arena.tournament.frames import job_frame, read_frame
from arena.tournament.job import MatchJob, Outcome, Played, SeatJob
from arena.tournament.runner import Runner
from tests.unit.match.scripted import Scripted
from tests.unit.tournament.jobs import job

PROVENANCE = Provenance("sha256:1", "0.1.0", "arenabot.v1", "1.0")


class Here:
    """Plays jobs in this process with random players."""

    capacity = 1

    async def play(self, job: MatchJob) -> Outcome:
        return Played(await play_match(job.setup(), [Scripted() for _ in job.seats]))


def _result(folder: Path, provenance: Provenance | None) -> tuple[Store, StoredResult]:
    store = Store.open(folder)
    cup = make_tournament(store, blocks=1)
    seats = {
        at: SeatJob(f"bot{at}", "1", "ab" * 32, "/bot", ("python3",), provenance=provenance)
        for at in range(2)
    }
    asyncio.run(Runner(store, cup, seats, Here()).run())
    return store, store.results(cup.id)[0]


@pytest.mark.parametrize("provenance", [PROVENANCE, None])
def test_replay_and_result_tell_it(tmp_path: Path, provenance: Provenance | None) -> None:
    """Under what was measured; nothing is told where there was no container."""
    store, result = _result(tmp_path, provenance)
    with store:
        lines = list(replay.unpack(store.blob(result.replay)))
    told = None if provenance is None else asdict(provenance)
    assert lines[0].get("measured") == (None if told is None else {"provenance": told})
    assert result.measured["provenance"] == told
    assert verify(lines).holds


def test_other_images_that_play_the_same_make_the_same_replay(tmp_path: Path) -> None:
    """The digest says what was played and not on what."""
    digests = set()
    for number, provenance in enumerate((PROVENANCE, replace(PROVENANCE, sdk="0.2.0"), None)):
        store, result = _result(tmp_path / str(number), provenance)
        store.close()
        digests.add(result.replay_digest)
    assert len(digests) == 1


def test_it_reaches_a_worker(tmp_path: Path) -> None:
    """As part of its job."""
    plain = job(tmp_path / "a", tmp_path / "b")
    sent = replace(plain, seats=tuple(replace(seat, provenance=PROVENANCE) for seat in plain.seats))

    async def arrived() -> MatchJob | None:
        reader = asyncio.StreamReader()
        reader.feed_data(job_frame(sent, 1))
        reader.feed_eof()
        message = await read_frame(reader)
        return None if message is None else message.job

    assert asyncio.run(arrived()) == sent
