"""A served arena and a crowd: all authors submit at once while others watch and look around.

Everybody has a connection and a token of their own; spectators have no token.  The server has its
default limits and plays a tournament meanwhile.  Every tenth author behaves as if the first answer
had been lost, and sends the same request again.  How long the answers take is one figure; how many
bots become ready is another one, since that takes builds and matches in containers.  By hand:

    python -m tests.soak.crowd 200 50 --database postgresql --ready 20

`--ready` stops once all have their answers and so many bots are ready; without it all must be.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import docker
import pytest
from docker.errors import APIError

from arena.app.tournaments import setting_up
from arena.app.tournaments.setting_up import Plan
from arena.store import Store, SubmissionState
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.process import serving
from tests.postgresql import server as postgresql_server
from tests.soak.callers import CUP, Crowd
from tests.soak.measured import Calls, Held, held_most

_SETTLING: Final = 10.0
"""Seconds after which a server that nobody calls any more is looked at."""
_BLOCKS: Final = 2000
"""More than are played while anybody looks."""


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    calls: Calls
    #: Seconds until all had their answers, and until it was over.
    answered: float
    over: float
    #: How many submissions were in which state at the end.
    states: Counter[str]
    #: How many matches the watchers of the tournament were told of.
    matches: int
    #: What the server held: before, at most, after.
    held: tuple[Held, Held, Held]
    #: Processes that wanted to run, on average over a minute: before, after.
    load: tuple[float, float]

    def __str__(self) -> str:
        before, most, after = self.held
        states = ", ".join(f"{count} {state}" for state, count in self.states.most_common())
        errors = ", ".join(f"{count} {error}" for error, count in self.calls.errors.most_common())
        return "\n".join(
            [
                self.calls.table(),
                "",
                f"errors: {errors or 'none'}",
                f"all answered after {self.answered:.0f} s; after {self.over:.0f} s: {states}",
                f"all watchers were told of the same {self.matches} matches",
                f"the server: before {before}; at most {most}; after {after}",
                f"load: before {self.load[0]:.0f}, after {self.load[1]:.0f}",
            ]
        )


async def campaign(home: Path, authors: int, watchers: int, ready: int) -> Outcome:
    """Serve an arena to a crowd until so many bots are ready.

    Nothing may be lost and nothing be there twice; `ARENA_DATABASE` says where it is kept.
    """
    load = os.getloadavg()[0]
    with Store.open(home) as store:
        cup = _set_up(store)
        crowd = Crowd(store, authors, watchers)
        with serving(home, workers="0") as server, _images_removed(store):
            await crowd.control(server.target)
            before = Held.by(server.process.pid)
            async with held_most(server.process.pid) as most:
                answered, over = await crowd.come(ready)
            await asyncio.sleep(_SETTLING)
            after = Held.by(server.process.pid)
            server.stop()
            assert await asyncio.to_thread(server.ended) == 0
        _assert_well_ended(home, server.log)
        states = _assert_kept(store, crowd)
        assert states[SubmissionState.READY.value] >= ready
        matches = _assert_told(store, cup, crowd)
        held = (before, most[0], after)
        return Outcome(
            crowd.calls, answered, over, states, matches, held, (load, os.getloadavg()[0])
        )


def _set_up(store: Store) -> int:
    """The tournament that is played meanwhile: its number."""
    options = {"target": 150, "max_rounds": 2}
    plan = Plan(CUP, "claims", options=options, blocks=_BLOCKS)
    made = setting_up.create(store, plan, ("random", "greedy")).tournament
    store.running.want(made.id)
    return made.id


def _assert_well_ended(home: Path, log: Path) -> None:
    """The server met no defect of ours, and nothing is left of its bots."""
    assert [line for line in log.read_text().splitlines() if "Traceback" in line] == []
    assert str(home) not in Path("/proc/self/mountinfo").read_text()


def _assert_kept(store: Store, crowd: Crowd) -> Counter[str]:
    """Each bot was kept once, under the id that its author was told; none was rejected."""
    kept = store.submissions.page(None, size=2 * len(crowd.authors))
    assert {one.author: one.id for one in kept} == crowd.answers
    assert len(kept) == len(crowd.authors)
    assert [one.reason for one in kept if one.state is SubmissionState.REJECTED] == []
    ready = {one.author for one in kept if one.state is SubmissionState.READY}
    versions = [one.author for one in store.versions() if one.author in crowd.answers]
    assert len(versions) == len(set(versions))
    assert set(versions) == ready
    assert crowd.watched
    for author, states in crowd.watched.items():
        assert states == sorted(set(states))
        assert (states[-1] == pb.SUBMISSION_STATE_READY) <= (author in ready)
    return Counter(one.state.value for one in kept)


def _assert_told(store: Store, cup: int, crowd: Crowd) -> int:
    """Every watcher heard of each match that ended after it came, once; how many there were."""
    results = {result.match_id for result in store.results(cup)}
    assert crowd.told
    for before, ended in crowd.told.values():
        assert len(ended) == len(set(ended))
        assert set(ended) <= results
        assert before + len(ended) == len(results)
    return len(results)


@contextmanager
def _images_removed(store: Store) -> Iterator[None]:
    """At the end the images of the bots that were handed in are gone."""
    try:
        yield
    finally:
        digests = [one.digest[:32] for one in store.submissions.page(None, size=10_000)]
        with closing(docker.from_env()) as engine:
            for found in engine.api.images("claim-arena/bot"):
                for name in found["RepoTags"] or ():
                    if any(digest in name for digest in digests):
                        with suppress(APIError):
                            engine.api.remove_image(name, force=True)


@contextmanager
def database(kind: str) -> Iterator[None]:
    """A store that is opened here lies on that kind of database, a fresh one."""
    with pytest.MonkeyPatch.context() as patch:
        if kind == "sqlite":
            patch.delenv("ARENA_DATABASE", raising=False)
            yield
            return
        with postgresql_server() as server:
            told = server.url().render_as_string(hide_password=False)
            patch.setenv("ARENA_DATABASE", told)
            yield


def main() -> None:
    """Run a campaign and print what came of it."""
    parser = argparse.ArgumentParser(description="A crowd at a served arena.")
    parser.add_argument("authors", type=int)
    parser.add_argument("watchers", type=int)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--ready", type=int, help="stop once so many bots are ready")
    told = parser.parse_args()
    ready = told.authors if told.ready is None else told.ready
    with tempfile.TemporaryDirectory(prefix="arena-crowd-") as folder, database(told.database):
        print(asyncio.run(campaign(Path(folder) / "home", told.authors, told.watchers, ready)))


if __name__ == "__main__":
    main()
