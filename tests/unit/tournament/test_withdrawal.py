"""What a run does when an entry is withdrawn in the middle of it."""

from __future__ import annotations

import asyncio

import pytest

from arena.store import NewMatch, Store, Tournament, TournamentState
from arena.store.records import MatchKey
from arena.store.testing import new_tournament, new_version
from arena.tournament.job import MatchJob, Outcome, SeatJob, match_id
from arena.tournament.runner import Runner, Step
from tests.unit.tournament.jobs import SEED
from tests.unit.tournament.test_runner import FakeExecutor

TABLES = ((0, 1), (1, 2), (0, 2), (0, 1), (1, 2), (0, 1))
SEATS = {at: SeatJob(name, "1", "ab" * 32, "/bot", ("python3",)) for at, name in enumerate("abc")}


@pytest.fixture
def cup(store: Store) -> Tournament:
    """Three bots at tables of two."""
    return store.create_tournament(
        new_tournament(blocks=len(TABLES), seed=SEED, options={"target": 150, "max_rounds": 1}),
        [store.add_version(new_version(f"bot{at}"), b"") for at in range(3)],
        [
            NewMatch(MatchKey(block, at), match_id(SEED, block, at), seating)
            for block, table in enumerate(TABLES)
            for at, seating in enumerate([table, table[::-1]])
        ],
    )


class Withdrawing(FakeExecutor):
    """The third bot is withdrawn while one of its matches is being played."""

    def __init__(self, store: Store, cup: Tournament, *, spoilt: bool) -> None:
        super().__init__(spoil=lambda job, _: spoilt and job.match_id in self.gone)
        self.gone = {match.id for match in store.matches(cup.id) if 2 in match.seating}
        self._store, self._cup = store, cup

    async def play(self, job: MatchJob) -> Outcome:
        """Play it, withdrawn by then."""
        if job.match_id in self.gone:
            self._store.entering.withdraw(self._cup.id, "bot2", why="it is slow")
        return await super().play(job)


@pytest.mark.parametrize("spoilt", [False, True])
def test_no_more_of_it_is_played_and_what_is_in_play_is_not_needed(
    store: Store, cup: Tournament, spoilt: bool
) -> None:
    """Whether that match ends or is spoilt; the run goes on with the others to the end."""
    executor = Withdrawing(store, cup, spoilt=spoilt)
    steps: list[Step] = []
    progress = asyncio.run(Runner(store, cup, SEATS, executor, on_step=steps.append).run())
    assert progress.state is TournamentState.FINISHED
    assert (progress.done, progress.annulled, progress.voids) == (6, 6, 0)
    assert 1 <= len(executor.gone & set(executor.attempts)) <= executor.capacity
    assert set(executor.attempts.values()) == {1}
    played = {result.match_id for result in store.results(cup.id)}
    assert played == {match.id for match in store.matches(cup.id)} - executor.gone
    assert store.left_out(cup.id) == {1, 2, 4}
    assert steps[-1].progress == progress
