"""Many matches with hostile bots at every table: the arena holds no more after them than before."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import docker
import pytest

from arena.tournament.job import Lodging, VoidReason
from tests.e2e.hostile.bots import Bots, made_ready
from tests.e2e.hostile.leftovers import CONNECTIONS, EACH_CONTAINER
from tests.soak.hostile import Soak, Tally, plans

MATCHES = "ARENA_SOAK_MATCHES"
"""The environment variable that says how many matches `make soak` plays."""
SEED = "ARENA_SOAK_SEED"
"""The one that plays the matches of an earlier run again."""

pytestmark = pytest.mark.docker

#: What may stay in a worker's memory, in MiB: allocators don't give all back.
_MIB = 32
_THREADS = 8


@pytest.fixture(scope="module")
def bots(
    engine: docker.APIClient, base_image: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Bots]:
    """Bots' images for as long as they are needed."""
    folder = tmp_path_factory.mktemp("bots")
    with made_ready(engine, base_image, folder, secrets.token_hex(8)) as made:
        yield made


Play = Callable[[str, int], Tally]


@pytest.fixture
def play(
    engine: docker.APIClient, bots: Bots, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Play:
    """Plays so many matches of a seed, and says how it goes."""

    def tell(text: str) -> None:
        with capsys.disabled():
            print(text, flush=True)

    def played(seed: str, matches: int) -> Tally:
        tell(f"\n{matches} matches, {SEED}={seed}")
        soak = Soak(engine, partial(bots.seat, lodging=Lodging.DOCKER), tell)
        tally = soak.play(tmp_path, plans(seed, matches))
        tell(str(tally))
        return tally

    return played


def all_is_as_it_was(tally: Tally, matches: int) -> None:
    """No match lost, nobody honest blamed, and every holding back at its baseline."""
    assert tally.stood + tally.given_up == matches
    assert tally.charged == []
    # What this machine can't help is a stall; everything else would be a bot's success.
    assert set(tally.voids) <= {VoidReason.STALLED}
    empty, before, after, ended = tally.empty, tally.before, tally.after, tally.ended
    assert empty is not None
    assert before is not None
    assert after is not None
    assert ended == empty
    assert (ended.containers, ended.mounts, ended.uids) == (0, 0, 0)
    assert after.uids == 0
    assert after.mounts == after.containers
    assert len(after.memory_mib) == len(before.memory_mib)
    assert sum(after.memory_mib) <= sum(before.memory_mib) + _MIB * len(after.memory_mib)
    assert max(after.threads) <= max(before.threads) + _THREADS
    # What idle containers hold is known to a descriptor.
    kept = after.containers - before.containers
    slack = CONNECTIONS * len(after.descriptors)
    assert sum(after.descriptors) <= sum(before.descriptors) + EACH_CONTAINER * kept + slack


def test_plans_seat_honest_bots_with_hostile_ones() -> None:
    """At every table, each the same for the same seed, and every hostile bot gets its turn."""
    found = plans("a seed", 1000)
    assert found == plans("a seed", 1000)
    assert found != plans("another", 1000)
    honest = {"random", "greedy", "counter"}
    assert all(set(plan.bots) & honest and set(plan.bots) - honest for plan in found)
    assert len({name for plan in found for name in plan.bots}) > 140


@pytest.mark.timeout(600)
def test_a_few_matches_leave_nothing(play: Play) -> None:
    """A taste of what `make soak` does at length."""
    all_is_as_it_was(play("a taste", 20), 20)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_a_thousand_matches_leave_nothing(play: Play) -> None:
    """Containers, mounts, user ids, descriptors, threads, memory: all back at their baseline."""
    matches = int(os.environ.get(MATCHES) or 1000)
    all_is_as_it_was(play(os.environ.get(SEED) or secrets.token_hex(4), matches), matches)
